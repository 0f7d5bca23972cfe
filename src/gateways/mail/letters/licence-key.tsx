import { Button, Copyable, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = (productName: string) => `You asked for your ${productName} licence key again. Here it is:`;
const next = "If it is not yet in use, register an account with it.";
const notYou = "If you did not ask for it, there is nothing to do: the key went to this address only.";

export const licenceKey: Writing<"licence-key"> = {
  subject: ({ productName }) => `Your ${productName} licence key`,
  preview: () => "The key you asked for is inside.",
  body: ({ productName, key, registerUrl }) => (
    <>
      <Heading>Your licence key</Heading>
      <Paragraph>{intro(productName)}</Paragraph>
      <Copyable>{key}</Copyable>
      <Paragraph>{next}</Paragraph>
      <Button href={registerUrl}>Register</Button>
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: ({ productName, key, registerUrl }) => [
    "Your licence key",
    intro(productName),
    `    ${key}`,
    next,
    `Register: ${registerUrl}`,
    notYou,
  ],
};
