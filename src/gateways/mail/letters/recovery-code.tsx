import { Copyable, Heading, Paragraph } from "./parts";
import type { LetterOf, Writing } from "./writing";

const intro =
  "Someone, hopefully you, asked to reset the password of your account. Enter this code in the browser that asked:";
const notYou =
  "If it was not you, ignore this email: nothing changes without the code. Do not give the code to anyone; we will never ask for it.";

export const recoveryCode: Writing<"recovery-code"> = {
  subject: () => "Your verification code",
  preview: lasts,
  body: (letter) => (
    <>
      <Heading>Your verification code</Heading>
      <Paragraph>{intro}</Paragraph>
      <Copyable large>{letter.code}</Copyable>
      <Paragraph>{lasts(letter)}</Paragraph>
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: (letter) => ["Your verification code", intro, `    ${letter.code}`, lasts(letter), notYou],
};

function lasts({ minutes }: LetterOf<"recovery-code">) {
  return `It works once, for ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}
