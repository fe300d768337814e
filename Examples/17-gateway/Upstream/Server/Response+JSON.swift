// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Hummingbird
import NIOCore

extension Response {
  static func json(_ value: some Encodable) throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))))
  }
}
