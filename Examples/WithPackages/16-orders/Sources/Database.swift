// This source file is part of swift-effects. License: Apache-2.0.

/// The statements of the orders. Each is one transaction.
enum Database {
  /// Of the tables. To be incremented with each change of them.
  static let version = "2"

  /// `results` has no key on purpose: a second result of an order would be counted, and not refused.
  static func create(_ connection: Connection) async throws {
    try await connection.rows(
      """
      CREATE TABLE orders (
        id bigserial PRIMARY KEY, state text NOT NULL DEFAULT 'new', worker text, attempt int NOT NULL DEFAULT 0,
        leased_until timestamptz, taken_at timestamptz, done_at timestamptz, problem text)
      """)
    try await connection.rows("CREATE INDEX open_orders ON orders (id) WHERE state IN ('new', 'taken')")
    try await connection.rows("CREATE TABLE results (order_id bigint NOT NULL, worker text NOT NULL)")
    try await connection.rows("COMMENT ON TABLE orders IS 'version \(version)'")
  }

  /// Whether the tables are those of this program. If not, it is an error.
  static func check(_ connection: Connection) async throws {
    let found =
      try await connection.rows("SELECT coalesce(obj_description(to_regclass('orders'), 'pg_class'), '')")
      .first?.first ?? ""
    if found == "version \(version)" { return }
    let what = found.isEmpty ? "no version of the tables" : "\(found) of the tables"
    throw Failure(description: "the database has \(what); this program needs version \(version)")
  }

  static func add(_ count: Int, _ connection: Connection) async throws {
    try await connection.rows("INSERT INTO orders (state) SELECT 'new' FROM generate_series(1, \(count))")
    try await connection.rows("NOTIFY orders")
  }

  /// Rows that another process has locked are skipped, and not waited for. While the server was away no lease could be
  /// renewed, so all of them last for one more lease after its start.
  static func take(_ limit: Int, _ worker: String, _ lease: Duration, _ connection: Connection) async throws -> [Order]
  {
    try await connection.rows(
      """
      UPDATE orders SET state = 'taken', worker = $1, attempt = attempt + 1, taken_at = clock_timestamp(),
        leased_until = clock_timestamp() + $2::interval
      WHERE id IN (
        SELECT id FROM orders WHERE state = 'new' OR (state = 'taken'
          AND greatest(leased_until, pg_postmaster_start_time() + $2::interval) < clock_timestamp())
        ORDER BY id LIMIT $3::int FOR UPDATE SKIP LOCKED)
      RETURNING id, attempt
      """, [worker, "\(lease.components.seconds) s", "\(limit)"]
    ).compactMap(order)
  }

  static func renew(_ orders: [Order], _ lease: Duration, _ connection: Connection) async throws -> [Order] {
    let pairs = orders.map { "(\($0.id), \($0.attempt))" }.joined(separator: ", ")
    return try await connection.rows(
      """
      UPDATE orders SET leased_until = clock_timestamp() + $1::interval
      WHERE state = 'taken' AND (id, attempt) IN (\(pairs)) RETURNING id, attempt
      """, ["\(lease.components.seconds) s"]
    ).compactMap(order)
  }

  /// The mark and the result are committed together, if no other process has taken the order since.
  static func finish(_ order: Order, _ worker: String, _ connection: Connection) async throws -> Bool {
    try await connection.rows(
      """
      WITH done AS (
        UPDATE orders SET state = 'done', done_at = clock_timestamp()
        WHERE id = $1::bigint AND attempt = $2::int AND state = 'taken' RETURNING id)
      INSERT INTO results SELECT id, $3 FROM done RETURNING order_id
      """, ["\(order.id)", "\(order.attempt)", worker]
    ).count == 1
  }

  /// No process takes the order any more. A person reads the problem, and sets the state to `new`.
  static func park(_ order: Order, _ problem: String, _ connection: Connection) async throws {
    try await connection.rows(
      """
      UPDATE orders SET state = 'parked', problem = $3
      WHERE id = $1::bigint AND attempt = $2::int AND state = 'taken'
      """, ["\(order.id)", "\(order.attempt)", problem])
  }

  /// What a process that leaves has not finished, others may take at once.
  static func handOver(_ worker: String, _ connection: Connection) async throws {
    try await connection.rows(
      "UPDATE orders SET state = 'new', leased_until = NULL WHERE state = 'taken' AND worker = $1", [worker])
    try await connection.rows("NOTIFY orders")
  }

  private static func order(_ row: [String]) -> Order? {
    guard row.count == 2, let id = Int(row[0]), let attempt = Int(row[1]) else { return nil }
    return Order(id: id, attempt: attempt)
  }
}
