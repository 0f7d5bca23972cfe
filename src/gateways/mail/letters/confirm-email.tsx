import { Button, Heading, Paragraph } from "./parts";
import type { LetterOf, Writing } from "./writing";

const asked = ({ username }: LetterOf<"confirm-email">) =>
  `Our support was asked to use this address for the account ${username}. Nothing changes before you confirm it.`;
const until = ({ hours }: LetterOf<"confirm-email">) => `The link works once, for ${hours} hours.`;
const notYou = "If you did not ask for this, you don't need to do anything.";

export const confirmEmail: Writing<"confirm-email"> = {
  subject: () => "Confirm your new email address",
  preview: () => "Your account gets this address once you confirm it.",
  body: (letter) => (
    <>
      <Heading>Confirm your new email address</Heading>
      <Paragraph>{asked(letter)}</Paragraph>
      <Button href={letter.confirmUrl}>Confirm this address</Button>
      <Paragraph>{until(letter)}</Paragraph>
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: (letter) => [
    "Confirm your new email address",
    asked(letter),
    `Confirm this address: ${letter.confirmUrl}`,
    until(letter),
    notYou,
  ],
};
