import { type Fact, factLines, moment, oneLine } from "./format";
import { Button, Facts, Heading, Paragraph } from "./parts";
import { securityWords } from "./security-events";
import type { LetterOf, Writing } from "./writing";

export const securityNotice: Writing<"security-notice"> = {
  subject: ({ what }) => securityWords[what].title,
  preview: ({ what }) => securityWords[what].happened,
  body: (letter) => {
    const { title, happened, otherwise } = securityWords[letter.what];
    return (
      <>
        <Heading>{title}</Heading>
        <Paragraph>{happened}</Paragraph>
        <Facts facts={facts(letter)} />
        {letter.undoUrl && (
          <>
            <Paragraph>{undo(letter)}</Paragraph>
            <Button href={letter.undoUrl}>Undo this change</Button>
          </>
        )}
        <Paragraph quiet>{otherwise}</Paragraph>
      </>
    );
  },
  text: (letter) => {
    const { title, happened, otherwise } = securityWords[letter.what];
    const undoing = letter.undoUrl ? [undo(letter), `Undo this change: ${letter.undoUrl}`] : [];
    return [title, happened, factLines(facts(letter)), ...undoing, otherwise];
  },
};

function undo({ undoHours }: LetterOf<"security-notice">) {
  if (undoHours === undefined) return "You can undo this.";
  if (undoHours < 1) return "You can undo this for less than an hour.";
  return `You can undo this for ${undoHours} ${undoHours === 1 ? "hour" : "hours"}.`;
}

function facts({ at, newEmail, device, address, codesLeft }: LetterOf<"security-notice">): Fact[] {
  const known: [string, string | undefined][] = [
    ["When", moment(at)],
    ["New address", newEmail],
    ["Device", device],
    ["From", address],
    ["Recovery codes left", codesLeft?.toString()],
  ];
  return known.flatMap(([name, value]): Fact[] => (value ? [[name, oneLine(value)]] : []));
}
