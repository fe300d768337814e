// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Why a request is not done. The connection is closed behind the answer.
struct Refusal: Error {
  let status: HTTPResponse.Status
  let reason: String

  init(_ status: HTTPResponse.Status, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// The answer without its body.
  var head: HTTPResponse {
    var fields = InspectorRequests.headers("application/json")
    fields[.connection] = "close"
    fields[.contentLength] = "\(body.readableBytes)"
    return HTTPResponse(status: status, headerFields: fields)
  }

  /// The reason in JSON.
  var body: ByteBuffer {
    ByteBuffer(bytes: (try? JSONEncoder().encode(["error": reason])) ?? Data())
  }

  var response: Response {
    Response(status: status, headers: head.headerFields, body: ResponseBody(byteBuffer: body))
  }
}
