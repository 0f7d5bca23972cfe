import { z } from "zod";
import { action } from "../base/actions";
import { answerBody, type Answers } from "./answers";
import type { Inbox } from "./inbox";

export type WebhookActions = ReturnType<typeof webhookActions>;

const secret = z
  .string()
  .trim()
  .regex(/^whsec_[A-Za-z0-9+/]+=*$/);

/** Actions for a test, or for a person at the page. */
export const webhookActions = (inbox: Inbox, answers: Answers) => ({
  secret: action(z.object({ secret }), (given) => {
    inbox.addSecret(given.secret);
    return { secrets: inbox.secrets().length };
  }),
  answer: action(answerBody, (given) => answers.set(given)),
  clear: action(z.object({}), () => ({ deleted: inbox.clear() })),
});
