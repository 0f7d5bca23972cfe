import type { OwnersNotice } from "@/domain/mail/letter";
import { factLines } from "./format";
import { Facts, Heading, Paragraph } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Notices = LetterOf<"owner-notices">;

const titleOf = ({ notices: [first], count }: Notices) =>
  count === 1 ? (first?.title ?? "") : `${count} notices, first: ${first?.title}`;

export const ownerNotices: Writing<"owner-notices"> = {
  toOwner: true,
  subject: titleOf,
  preview: ({ notices }) => linesOf(notices[0]).join(" · "),
  body: ({ notices, further }) => (
    <>
      {notices.map((notice, at) => (
        <One key={at} notice={notice} />
      ))}
      {further && <Paragraph>{further}</Paragraph>}
    </>
  ),
  text: ({ notices, further }) => [
    ...notices.map((notice) => linesOf(notice).join("\n")),
    ...(further ? [further] : []),
  ],
};

function One({ notice: { title, facts, sentence, next } }: { notice: OwnersNotice }) {
  return (
    <>
      <Heading>{title}</Heading>
      {sentence && <Paragraph>{sentence}</Paragraph>}
      {facts.length > 0 && <Facts facts={facts} />}
      {next && <Paragraph quiet>{next}</Paragraph>}
    </>
  );
}

/** A notice's lines in plain text. */
function linesOf(notice: OwnersNotice | undefined): string[] {
  if (!notice) return [];
  const { title, facts, sentence, next } = notice;
  return [
    title,
    ...(sentence ? [sentence] : []),
    ...(facts.length > 0 ? [factLines(facts)] : []),
    ...(next ? [next] : []),
  ];
}
