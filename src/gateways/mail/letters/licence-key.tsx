import { Button, Copyable, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = (productName: string) => `You asked for your ${productName} license key again. Here it is:`;
const next = "If you have not used it yet, register an account with it.";
const notYou =
  "If you did not ask for it, you don't need to do anything: the key was sent to this address only.";

export const licenceKey: Writing<"licence-key"> = {
  subject: ({ productName }) => `Your ${productName} license key`,
  preview: () => "The key you asked for is inside.",
  body: ({ productName, key, registerUrl }) => (
    <>
      <Heading>Your license key</Heading>
      <Paragraph>{intro(productName)}</Paragraph>
      <Copyable>{key}</Copyable>
      <Paragraph>{next}</Paragraph>
      <Button href={registerUrl}>Register</Button>
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: ({ productName, key, registerUrl }) => [
    "Your license key",
    intro(productName),
    `    ${key}`,
    next,
    `Register: ${registerUrl}`,
    notYou,
  ],
};
