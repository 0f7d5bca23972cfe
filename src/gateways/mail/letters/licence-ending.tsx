import { moment } from "./format";
import { Button, Heading, Paragraph, Unsubscribe, unsubscribeLine } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Ending = LetterOf<"licence-ending">;

const left = ({ daysLeft }: Ending) => (daysLeft === 1 ? "tomorrow" : `in ${daysLeft} days`);
const heading = (letter: Ending) => `Your license ends ${left(letter)}`;
const intro = ({ productName, endsAt }: Ending) =>
  `Your ${productName} license is valid until ${moment(endsAt)}.`;
const next =
  "To keep downloads, updates and the premium role, renew it before then: the new time is added to what is left.";

export const licenceEnding: Writing<"licence-ending"> = {
  subject: (letter) => `Your ${letter.productName} license ends ${left(letter)}`,
  preview: (letter) => intro(letter),
  body: (letter) => (
    <>
      <Heading>{heading(letter)}</Heading>
      <Paragraph>{intro(letter)}</Paragraph>
      <Paragraph>{next}</Paragraph>
      <Button href={letter.licenceUrl}>See your license</Button>
      <Unsubscribe letter={letter} />
    </>
  ),
  text: (letter) => [
    heading(letter),
    intro(letter),
    next,
    `See your license: ${letter.licenceUrl}`,
    unsubscribeLine(letter),
  ],
};
