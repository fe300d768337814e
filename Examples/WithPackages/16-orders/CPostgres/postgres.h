// This source file is part of swift-effects. License: Apache-2.0.

#include <libpq-fe.h>
