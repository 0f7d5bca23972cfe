import type { RequestContext } from "./shop";

type TicketFile = { name: string; type: string; body: BodyInit };

/** A file of a ticket: pictures are sent inline, anything else as an attachment. */
export function ticketFileAnswer(c: RequestContext, { name, type, body }: TicketFile): Response {
  c.env.sendsMuch();
  const shown = type.startsWith("image/") ? "inline" : "attachment";
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `${shown}; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", "%27")}`,
      "cache-control": "private, no-store",
    },
  });
}
