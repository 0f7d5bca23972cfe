import { maxDeskNoteLength, maxReplyNameLength, maxMessageLength } from "../vocabulary/bounds";
import { flag, line, text } from "../vocabulary/fields";
import { operation } from "./operation";

const onTicket = { on: "ticket", answers: "ticket" } as const;
const byStaff = { ...onTicket, roles: ["owner", "support"] } as const;

export const answerTicket = operation({
  ...onTicket,
  name: "ticket.answer",
  roles: ["operator", "owner", "support"],
  call: "POST tickets/{id}/messages",
  fields: {
    text: text({ label: "Answer", most: maxMessageLength }),
    close: flag({ label: "Close the ticket", about: "Whether the answer closes the ticket" }),
  },
  summary: "Answer a customer",
  description:
    "The answer appears on the ticket's page, is mailed, and is posted in the thread if Discord is connected.",
});

export const noteOnTicket = operation({
  ...byStaff,
  name: "ticket.note",
  call: "POST tickets/{id}/notes",
  fields: { text: text({ label: "Note", most: maxDeskNoteLength }) },
  summary: "Write a note that only staff see",
});

export const claimTicket = operation({
  ...byStaff,
  name: "ticket.claim",
  call: "POST tickets/{id}/claim",
  summary: "Claim a ticket",
});

export const unclaimTicket = operation({
  ...byStaff,
  name: "ticket.unclaim",
  call: "POST tickets/{id}/unclaim",
  summary: "Release your claim of a ticket; owners may release anyone's",
});

export const closeTicket = operation({
  ...onTicket,
  name: "ticket.close",
  roles: ["operator", "owner", "support", "customer", "shop"],
  call: "POST tickets/{id}/close",
  command: "tickets close <number>",
  reason: "optional",
  summary: "Close a ticket; the customer sees the reason",
});

export const reopenTicket = operation({
  ...onTicket,
  name: "ticket.reopen",
  roles: ["owner", "support", "customer"],
  call: "POST tickets/{id}/reopen",
  reason: "optional",
  summary: "Reopen a ticket within a week of closing",
});

export const listReplies = operation({
  name: "reply.read",
  roles: ["operator", "owner", "support", "viewer"],
  call: "GET replies",
  answers: "replies",
  means: "By name",
  summary: "The saved replies",
});

const reply = {
  fields: {
    name: line({
      label: "Name",
      most: maxReplyNameLength,
      hint: "The name staff look for.",
      about: "The name staff look for",
    }),
    text: text({ label: "Text", most: maxMessageLength }),
  },
  reason: "optional",
  answers: "reply",
  means: "The reply",
} as const;

export const saveReply = operation({
  ...reply,
  name: "reply.change",
  roles: ["operator", "owner"],
  call: "POST replies",
  command: "replies add <name> <text>",
  summary: "Save a reply",
});

export const changeReply = operation({
  ...reply,
  name: "reply.change_one",
  permission: "reply.change",
  call: "POST replies/{id}/change",
  command: "replies change <reply> <name> <text>",
  summary: "Change the name and text of a saved reply",
});

export const removeReply = operation({
  name: "reply.remove",
  permission: "reply.change",
  call: "POST replies/{id}/remove",
  command: "replies remove <reply>",
  reason: "optional",
  answers: "removed",
  summary: "Delete a saved reply",
});
