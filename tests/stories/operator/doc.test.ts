import { expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "@/core/settings/config";
import { invitation } from "@bot/server/permissions";
import { watchedEvents } from "@/gateways/stripe/list-changes";
import { noticeKinds } from "@/domain/outbox-topics";
import { shopProgram } from "@/operator/program";
import { type SettingName, settingNames } from "@/core/settings/settings";
import { settingsTable } from "@/operator/commands/settings";
import { caddyOf, nginxOf, unitOf } from "@/operator/setup/machine/start-files";
import { environmentOf, readDockerfile } from "../../image/dockerfile";
import { byHand, manualBlocks, manualText, proxies } from "../../support/operator/operator-manual";

const root = join(import.meta.dir, "../../..");
const text = (path: string) => Bun.file(join(root, path)).text();
/** Tables are laid out by the formatter. */
const words = (table: string) => table.replace(/ +/g, " ").replace(/-+/g, "-");

test("a page of the operator's manual lists every setting that the shop reads", async () => {
  expect(words(await text("docs/settings.md"))).toContain(words(settingsTable()));
});

test("every setting of the manual's .env and of the compose file is one that the shop reads", async () => {
  const blocks = (await manualBlocks()).filter(({ language }) => language === "sh");
  const written = blocks.flatMap(({ lines }) =>
    lines.flatMap((line) => /^#? ?([A-Z_0-9]+)=/.exec(line)?.[1] ?? []),
  );
  expect(written.length).toBeGreaterThan(10);
  const compose = Bun.YAML.parse(await text("compose.yaml")) as {
    services: { shop: { environment: Record<string, string> } };
  };
  const named = [...written, ...Object.keys(compose.services.shop.environment)];
  expect(named.filter((name) => !settingNames.includes(name as SettingName))).toEqual([]);
});

test("every metric with an alarm in the manual exists", async () => {
  const sources = await Promise.all(
    [...new Bun.Glob("{src,bot}/**/*.ts").scanSync({ cwd: root })].map((path) => text(path)),
  );
  const named = (await text("docs/operations.md")).match(/latchkey_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(sources.join("\n")).toContain(`"${name}"`);
});

test("the manual says what to do about every staff notice", async () => {
  const manual = await text("docs/operations.md");
  const rows = [...manual.matchAll(/^\| \*\*([a-z ]+)\*\* +\| (.+) \|$/gm)].map(([, kind]) => kind);
  expect(rows).toEqual([...noticeKinds]);
});

test("every command named in the documents exists, with its options", async () => {
  const documents = ["README.md", ...new Bun.Glob("docs/*.md").scanSync({ cwd: root })];
  const named = (await Promise.all(documents.map(async (path) => commandsIn(await text(path))))).flat();
  expect(named.length).toBeGreaterThan(50);
  expect(
    named.flatMap(({ command, words }) => wrongWordsOf(words).map((word) => `${command}: ${word}`)),
  ).toEqual([]);
});

/** Commands in code, and in tables the verbs after them (`shop licences suspend`, `revoke`). */
function commandsIn(document: string) {
  let isCode = false;
  return document.split("\n").flatMap((line) => {
    let noun = "";
    if (/^\s*```/.test(line)) isCode = !isCode;
    const spans = isCode ? [[line, undefined, line.trim()]] : line.matchAll(/`([^`]+)`/g);
    return [...spans].flatMap(([, span, whole]) => {
      const [, command] = /^(?:(?:bun|npm) run )?shop (.+)/.exec(span ?? whole ?? "") ?? [];
      const words = command?.split(" ") ?? [];
      noun = words[0] ?? noun;
      if (command) return { command: `shop ${command}`, words };
      const isVerb = line.startsWith("|") && noun !== "" && /^[a-z]+(?:-[a-z]+)*$/.test(span ?? "");
      return isVerb ? { command: `shop ${noun} ${span}`, words: [noun, span ?? ""] } : [];
    });
  });
}

/** The words in a command that the command line does not know. */
function wrongWordsOf([noun = "", verb = "", ...rest]: string[]): string[] {
  const program = shopProgram();
  if (noun.startsWith("--")) return noun === "--help" ? [] : [noun];
  const found = program.commands.find((command) => command.name() === noun);
  if (!found) return [noun];
  const below = found.commands.find((command) => command.name() === verb);
  if (found.commands.length > 0 && /^[a-z]/.test(verb) && !below) return [verb];
  const known = ["--help", ...(below ?? found).options.map(({ long }) => long)];
  return [verb, ...rest].filter((word) => word.startsWith("--") && !known.includes(word));
}

test("the compose file configures its services completely", async () => {
  const compose = Bun.YAML.parse(await text("compose.yaml")) as { services: Record<string, unknown> };
  expect(Object.keys(compose.services)).toEqual(["shop", "proxy", "relay"]);
  expect(compose.services["shop"]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
});

test("the compose file's relay takes mail from the manual's sender", async () => {
  const compose = Bun.YAML.parse(await text("compose.yaml")) as {
    services: { relay: { environment: Record<string, string> } };
  };
  const allowed = compose.services.relay.environment["ALLOWED_SENDER_DOMAINS"] ?? "";
  const [, domain = "none"] = /^ *MAIL_FROM='.*@(.*)>'$/m.exec(await text("docs/operations.md")) ?? [];
  const filled = (more: string) =>
    allowed.replace("${SHOP_DOMAIN:-localhost}", "shop.example.com").replace("${SENDER_DOMAIN:-}", more);
  expect(filled("").split(" ")).toContain(domain);
  expect(filled("example.com").split(" ")).toContain("example.com");
});

test("the compose file caps every log and opens the proxy's ports alone", async () => {
  const compose = Bun.YAML.parse(await text("compose.yaml")) as {
    services: Record<string, { ports?: string[]; logging?: unknown }>;
  };
  for (const { logging } of Object.values(compose.services)) {
    expect(logging).toEqual({ driver: "json-file", options: { "max-size": "10m", "max-file": "5" } });
  }
  const open = Object.entries(compose.services).flatMap(([name, { ports }]) => (ports ? [name] : []));
  expect(open).toEqual(["proxy"]);
});

test("the manual's settings for a host run the container on its own volume and port", async () => {
  const compose = Bun.YAML.parse(await text("compose.yaml")) as {
    services: { shop: { environment: Record<string, string> } };
  };
  const [listing] = (await manualBlocks()).filter(({ lines }) => lines[0]?.startsWith("NODE_ENV="));
  const host = Object.fromEntries(listing?.lines.map((line) => line.split(/=(.*)/s)) ?? []);
  const [last] = readDockerfile(await text("Dockerfile")).slice(-1);
  // the volume is not mounted here
  const { IN_CONTAINER, ...image } = last ? environmentOf(last) : {};
  expect(IN_CONTAINER).toBe("yes");
  const environment = Object.fromEntries(
    Object.entries(compose.services.shop.environment).map(([name, value]) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/, "$1"),
    ]),
  );
  const secrets = {
    SECRET_KEY: btoa("x".repeat(32)),
    BACKUP_KEY: btoa("y".repeat(32)),
    STRIPE_SECRET_KEY: "sk_live_x",
    STRIPE_PUBLISHABLE_KEY: "pk_live_x",
    STRIPE_WEBHOOK_SECRET: "whsec_x",
    METRICS_TOKEN: "",
  };
  expect(Object.keys(host)).toEqual(expect.arrayContaining([...Object.keys(secrets), "DATA_DIR"]));
  const config = readConfig({ ...image, ...host, ...secrets, ...environment });
  expect(config).toMatchObject({ dataDir: "/data", host: "0.0.0.0", port: 3000 });
});

test("the sections of the manual that the Dockerfile and the compose file name exist", async () => {
  const manual = await text("docs/operations.md");
  const named = (await Promise.all(["Dockerfile", "compose.yaml"].map(text))).map((file) => [
    ...file.matchAll(/docs\/operations\.md, ("([^"]+)"|\w+ \d+)/g),
  ]);
  expect(named.map((found) => found.length)).toEqual([1, 1]);
  for (const [, , section] of named.flat()) expect(manual).toContain(`\n## ${section}\n`);
});

test("every image in the compose file and the Dockerfile has an exact version", async () => {
  const compose = Bun.YAML.parse(await text("compose.yaml")) as {
    services: Record<string, { image?: string }>;
  };
  const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
  const bases = [...(await text("Dockerfile")).matchAll(/^FROM (\S+:\S+)/gm)].map(([, base]) => base);
  expect(images).toHaveLength(2);
  expect(bases.length).toBeGreaterThan(0);
  for (const image of [...images, ...bases]) expect(image).toMatch(/:v?\d+\.\d+\.\d+(-\w+)?$/);
});

test("the proxy of the compose file is set up as the manual sets one up", async () => {
  const compose = Bun.YAML.parse(await text("compose.yaml")) as { configs: Record<string, unknown> };
  const block = (await manualBlocks()).find(({ language }) => language === "caddyfile");
  const content = block?.lines.join("\n").replace("shop.example.com", "${SHOP_DOMAIN:-localhost}");
  const { caddyfile } = compose.configs as { caddyfile: { content: string } };
  const lines = caddyfile.content.trim().split("\n");
  expect(lines.map((line) => line.trim()).join("\n")).toBe(
    content?.replace("127.0.0.1:3000", "shop:3000") ?? "",
  );
});

test("the manual's invitation link asks Discord for what the bot needs, and for nothing else", async () => {
  const invitations = (await manualBlocks()).filter(({ language }) => language === "text");
  expect(invitations.map(({ lines }) => lines)).toEqual([[invitation("APPLICATION_ID", "use")]]);
});

test("the manual names every event that Stripe has to send", async () => {
  const named = async (section: string) =>
    [
      ...(await manualText(section)).matchAll(
        /`((?:checkout|charge|refund|radar|customer|invoice)\.[a-z_.]+)`/g,
      ),
    ].map(([, name]) => name ?? "");
  const once = watchedEvents({ subscriptions: false });
  const more = watchedEvents({ subscriptions: true }).filter((event) => !once.includes(event));
  expect((await named(byHand)).toSorted()).toEqual(once.toSorted());
  expect(await named("Subscriptions")).toEqual(expect.arrayContaining(more));
});

test("the manual names Stripe's endpoint and Discord's redirect", async () => {
  const steps = await manualText(byHand);
  for (const path of ["/api/stripe/webhook", "/dashboard/discord-callback"])
    expect(steps).toContain(`\`https://shop.example.com${path}\``);
});

test("set-up writes the manual's proxies, and a unit that allows longer than a stop takes", async () => {
  const machine = {
    root: "/opt/latchkey",
    bun: "/usr/local/bin/bun",
    user: "latchkey",
    dataDir: "/var/lib/latchkey",
    folders: [],
    port: 3000,
    publicUrl: new URL("https://shop.example.com"),
  };
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => line.trim());
  const blocks = (await manualBlocks()).filter(({ section }) => section === proxies);
  expect(blocks.map((block) => block.lines)).toEqual([caddyOf, nginxOf].map((of) => lines(of(machine))));
  const [, seconds] = /^TimeoutStopSec=(\d+)/m.exec(unitOf(machine)) ?? [];
  expect(Number(seconds)).toBeGreaterThan(11);
});
