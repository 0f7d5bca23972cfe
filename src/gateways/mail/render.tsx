import { renderToStaticMarkup } from "react-dom/server";
import type { Email } from "@/domain/mail/email";
import { BlockInHtml } from "./block-in-html";
import { blockInText } from "./block-in-text";
import { Frame, textFrame } from "./frame";

/** `hasDiscord`: whether the frame names the shop's Discord server, as it does by default. */
export type Look = { hasDiscord?: boolean };

/** An email's subject, HTML and plain text, both from the same blocks. */
export function render(email: Email, { hasDiscord = true }: Look = {}) {
  const { subject, blocks } = email;
  const markup = renderToStaticMarkup(
    <Frame email={email} hasDiscord={hasDiscord}>
      {blocks.map((block, at) => (
        <BlockInHtml key={at} block={block} />
      ))}
    </Frame>,
  );
  return {
    subject,
    html: `<!doctype html>${markup}`,
    text: textFrame(email, blocks.map(blockInText), hasDiscord),
  };
}
