import PostalMime, { type Address } from "postal-mime";

/** The message as SMTP delivered it, not yet parsed. */
export type Delivery = {
  id: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  envelope: { from: string; to: string[] };
  /** The raw message, one character a byte. */
  raw: string;
};

export type StoredMessage = Delivery & {
  subject: string;
  from: string;
  to: string;
  /** With its angle brackets, as in the header. */
  messageId: string;
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
};

export async function read(delivery: Delivery): Promise<StoredMessage> {
  const mail = await PostalMime.parse(Buffer.from(delivery.raw, "latin1"));
  return {
    ...delivery,
    subject: mail.subject ?? "",
    from: mail.from ? written(mail.from) : "",
    to: (mail.to ?? []).map(written).join(", "),
    messageId: mail.messageId ?? "",
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: mail.html ?? null,
    text: mail.text ?? null,
  };
}

function written(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(written).join(", ")};`;
  return address.name ? `${address.name} <${address.address}>` : address.address;
}
