import { Button, Copyable, Heading, Paragraph } from "./parts";
import type { LetterOf, Writing } from "./writing";

const next = "Register an account with this license key to activate it:";
const keep = "Keep this email and do not share the key: it belongs to the first account that uses it.";

export const gift: Writing<"gift"> = {
  subject: ({ productName }) => `A gift for you: ${productName}`,
  preview: () => "The license key is inside.",
  body: (letter) => (
    <>
      <Heading>A gift for you</Heading>
      <Paragraph>{given(letter)}</Paragraph>
      {letter.message?.split("\n").map((line, at) => (
        <Paragraph key={at}>{line}</Paragraph>
      ))}
      <Paragraph>{next}</Paragraph>
      <Copyable>{letter.key}</Copyable>
      <Button href={letter.registerUrl}>Register</Button>
      <Paragraph quiet>{keep}</Paragraph>
    </>
  ),
  text: (letter) => [
    "A gift for you",
    given(letter),
    ...(letter.message ? [letter.message] : []),
    next,
    `    ${letter.key}`,
    `Register: ${letter.registerUrl}`,
    keep,
  ],
};

const given = ({ from, productName }: LetterOf<"gift">) => `${from ?? "Somebody"} gives you ${productName}.`;
