import Database from "libsql";

/**
 * Gives a filled database what `fill` leaves out: tickets, refunds and proposed addresses as many as customers, licences
 * and payments in every state, and entries of the log by the operator. Does nothing the second time.
 */
export function makeVaried(path: string): void {
  const database = new Database(path);
  const [done] = database.prepare("SELECT 1 FROM refunds LIMIT 1").all();
  if (!done) {
    database.exec("PRAGMA synchronous = OFF");
    database.exec("PRAGMA cache_size = -1000000");
    for (const statement of statements) database.exec(statement);
  }
  database.close();
}

const statements = [
  `UPDATE licences SET suspended_at = created_at WHERE rowid % 997 = 0`,
  `UPDATE licences SET revoked_at = created_at WHERE rowid % 1009 = 0`,
  `UPDATE licences SET expires_at = created_at + 86400000 WHERE rowid % 101 = 0`,
  `UPDATE licences SET account_id = NULL, redeemed_at = NULL WHERE rowid % 503 = 0`,
  `UPDATE payments SET state = 'processing', sold_at = NULL WHERE rowid % 9973 = 0`,
  `UPDATE payments SET state = 'failed' WHERE rowid % 499 = 1`,
  `INSERT INTO tickets (id, number, topic, member_name, account_id, question, state, opened_at, waiting_for, waiting_since, closed_at)
   SELECT 't-' || id, 10000000 + rowid, 'other', username, id, 'Why?', CASE rowid % 100 WHEN 0 THEN 'open' ELSE 'closed' END,
   created_at, CASE rowid % 200 WHEN 0 THEN 'staff' ELSE 'member' END, created_at, CASE rowid % 100 WHEN 0 THEN NULL ELSE created_at END FROM accounts`,
  `INSERT INTO refunds (id, payment_id, amount, state, request, reason, asked_by, created_at)
   SELECT 'r-' || id, id, 100, CASE rowid % 1000 WHEN 0 THEN 'proposed' WHEN 1 THEN 'refused' ELSE 'made' END, id, 'Asked', 'operator', created_at
   FROM payments LIMIT 1000000`,
  `INSERT INTO corrections (id, payment_id, receiver, email, state, reason, asked_by, created_at)
   SELECT 'c-' || id, id, 0, 'right@example.com', CASE rowid % 1000 WHEN 0 THEN 'proposed' ELSE 'approved' END, 'Asked', 'operator', created_at
   FROM payments LIMIT 1000000`,
  `INSERT INTO audit_log (id, at, actor, actor_kind, action, subject, account_id)
   SELECT 'o-' || id, created_at, 'operator', 'operator', 'licence.extended', id, account_id FROM licences WHERE rowid % 10 = 0`,
];
