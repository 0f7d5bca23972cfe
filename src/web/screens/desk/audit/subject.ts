/** The page of what an entry of the log is about, if the desk has one. */
export function pageOf({ kind, id }: { kind: string; id: string }): string | null {
  const list = {
    account: "customers",
    payment: "payments",
    licence: "licences",
    subscription: "subscriptions",
    ticket: "tickets",
  }[kind];
  return list === undefined ? null : `/desk/${list}/${id}`;
}
