import { Command } from "commander";
import { type Ctx, typedId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import {
  allAnnouncements,
  announce,
  type Announcement,
  announcementOf,
  isOver,
  type NewAnnouncement,
} from "@/domain/campaigns/announce";
import { announcementOperations } from "@/domain/operations/products";
import { withShop, byOperator, print, withOptionalReason, withJson } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { progressBar } from "../terminal/progress";
import { counted, stamp, table } from "../terminal/table";
import { maxTitleLength, maxNewsLength } from "@/contract/vocabulary/bounds";

type AnnounceOptions = { licensed?: boolean; offer?: string | null; reason?: string; json?: boolean };

const checkEveryMilliseconds = 1_000;

/** `shop announce …` */
export function announceCommand(): Command {
  const noun = new Command("announce").description("emails to all customers");
  withOptionalReason(
    noun.command("send <file>", { isDefault: true }),
    'announce send spring.md --licensed --reason "the spring release"',
  )
    .description(
      "mail a file to every customer, once each: accounts, and buyers without one. Its first line is the subject, the rest is Markdown. The running shop sends the emails; the same file again continues where it was",
    )
    .option("--licensed", "only to customers with an active licence")
    .option(
      "--offer <id>",
      "only to customers who bought this offer, or hold a licence that it sold",
      typedId,
    )
    .action((file: string, options: AnnounceOptions) => send(file, options));
  withJson(noun.command("list"), "announce list")
    .description("every announcement and its progress")
    .action(({ json }: { json?: boolean }) => withShop(({ ctx }) => list(ctx, json)));
  withJson(noun.command("status"), "announce status 3f9a1c0d2e4b5a67")
    .argument("<id>", "its id in the list", typedId)
    .description("the progress of an announcement; at a terminal, until its last email is sent")
    .action((id: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const announcement = await followProgress(ctx, await announcementOf(ctx, id), json);
        print(json, output(announcement), describeAnnouncement(announcement));
      }),
    );
  addOperation(noun, announcementOperations.stopAnnouncement, {
    description: "send no further emails; those already sent can't be recalled",
    examples: ['announce stop 3f9a1c0d2e4b5a67 --reason "a wrong price"'],
    async output({ subject: id }, { ctx }) {
      const announcement = await announcementOf(ctx, id);
      return { data: output(announcement), sentence: describeAnnouncement(announcement) };
    },
  });
  return noun;
}

async function send(
  file: string,
  { licensed = false, offer = null, reason, json }: AnnounceOptions,
): Promise<void> {
  await withShop(async ({ ctx, config }) => {
    const mail = config.mail === "off" ? ("off" as const) : ("on" as const);
    const wanted = { ...(await readEmail(file)), licensedOnly: licensed, offer, mail };
    const now = await followProgress(ctx, await announce(ctx, wanted, byOperator(reason)), json);
    print(json, output(now), describeAnnouncement(now));
  });
}

const invalid = (sentence: string) => new Refusal("invalid_field", { field: "file", sentence });

async function readEmail(path: string): Promise<Pick<NewAnnouncement, "subject" | "content">> {
  const text = await Bun.file(path)
    .text()
    .catch(() => {
      throw invalid(`The file ${path} can't be read.`);
    });
  const [first = "", ...rest] = text.replaceAll("\r\n", "\n").trim().split("\n");
  const subject = first.replace(/^#+\s*/, "").trim();
  const content = rest.join("\n").trim();
  if (subject === "" || content === "") {
    throw invalid(`The file ${path} must have a subject in its first line, and a text below.`);
  }
  if (subject.length > maxTitleLength)
    throw invalid(`The subject has more than ${maxTitleLength} characters.`);
  if (content.length > maxNewsLength) throw invalid(`The text has more than ${maxNewsLength} characters.`);
  return { subject, content };
}

/** Shows the progress at a terminal until the last email is sent. The shop sends them in any case. */
async function followProgress(
  ctx: Ctx,
  announcement: Announcement,
  json: boolean | undefined,
): Promise<Announcement> {
  if (json || !process.stderr.isTTY) return announcement;
  const bar = progressBar("emails", json);
  let now = announcement;
  while (!isOver(now)) {
    bar.at(now.sent + now.dropped, now.allQueuedAt ? now.emailsQueued : now.customers);
    await Bun.sleep(checkEveryMilliseconds);
    now = await announcementOf(ctx, announcement.id);
  }
  bar.end();
  return now;
}

const announcementState = (announcement: Announcement) => {
  if (announcement.stoppedAt) return "stopped";
  return isOver(announcement) ? "done" : "under way";
};

const output = (announcement: Announcement) => {
  const { id, subject, licensedOnly, offer, createdAt, customers } = announcement;
  const { customersChecked: looked, emailsQueued: posted, sent, deferred, dropped } = announcement;
  const state = announcementState(announcement);
  const progress = { state, customers, looked, posted, sent, deferred, dropped };
  return { id, subject, licensedOnly, offer, createdAt, ...progress };
};

function describeAnnouncement(announcement: Announcement): string {
  const { id, subject, customers, customersChecked, emailsQueued, sent, deferred, dropped } = announcement;
  const state = announcementState(announcement);
  const numbers = `${sent} of ${counted(emailsQueued, "email")} sent, ${deferred} deferred by the mail server, ${dropped} refused, given up or no longer wanted, ${customersChecked} of ${counted(customers, "customer")} considered`;
  const hint = state === "under way" ? ` The running shop sends them: \`shop announce status ${id}\`.` : "";
  return `“${subject}” (${id}) is ${state}: ${numbers}.${hint}`;
}

async function list(ctx: Ctx, json: boolean | undefined): Promise<void> {
  const all = (await allAnnouncements(ctx)).map(output);
  const rows = all.map(({ id, createdAt, state, licensedOnly, offer, subject, ...counts }) => [
    id,
    stamp(createdAt),
    state,
    [licensedOnly ? "licensed" : "all", ...(offer === null ? [] : [offer])].join(", "),
    counts.posted,
    counts.sent,
    counts.deferred,
    counts.dropped,
    subject,
  ]);
  const headings = ["id", "since", "state", "to", "emails", "sent", "deferred", "dropped", "subject"];
  print(json, all, rows.length > 0 ? table(headings, rows) : "Nothing has been announced.");
}
