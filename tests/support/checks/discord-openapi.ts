/**
 * `bun tests/support/checks/discord-openapi.ts path/to/openapi.json`: checks the Discord simulator's answers against the description
 * that Discord publishes (github.com/discord/discord-api-spec). No test needs it; exits with 1 if an answer deviates.
 */
import Ajv from "ajv/dist/2020";
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";

type Operation = { responses: Record<string, { content?: Record<string, object> }> };
type Description = { paths: Record<string, Record<string, Operation>>; components: object };
type Json = { [key: string]: Json } & { id: string; interaction: string };

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the OpenAPI document");
const description = (await Bun.file(file).json()) as Description;
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: "discord", components: description.components });

const simulator = await startDiscordSimulator({ seed: 1, limits: { enabled: false } });
const deviations: string[] = [];
const interactionsHeard: { id: string; token: string }[] = [];
let checked = 0;
try {
  await listen();
  await tour(simulator);
} finally {
  await simulator.stop();
}
console.log(`${checked} answers checked, ${deviations.length} deviate`);
for (const deviation of deviations) console.log(deviation);
process.exit(deviations.length > 0 ? 1 : 0);

/** Calls everything that the simulator serves. */
async function tour({ guildId, clientId, clientSecret, ...known }: DiscordSimulator) {
  const { supportChannelId, generalChannelId, premiumRoleId } = known;
  const guild = `/guilds/${guildId}`;
  for (const path of ["/gateway/bot", "/users/@me", "/applications/@me"]) await call("GET", path);
  const ada = idOf(await control("state"), "ada");
  for (const path of ["/roles", "/threads/active", "/members?limit=10", `/members/${ada}`, "/members/1"])
    await call("GET", guild + path);
  await call("PUT", `${guild}/members/${ada}/roles/${premiumRoleId}`);
  await call("DELETE", `${guild}/members/${ada}/roles/${premiumRoleId}`);
  await call("GET", `/channels/${generalChannelId}`);
  await messages(generalChannelId);
  await threads(supportChannelId, ada);
  await interactions(`/applications/${clientId}`, guildId);
  await oauth({ clientId, clientSecret, guild });
  await call("GET", "/nowhere-at-all");
}

async function messages(channel: string) {
  const path = `/channels/${channel}/messages`;
  const embeds = [{ title: "Card", description: "x", fields: [{ name: "a", value: "b" }], color: 1 }];
  const components = [{ type: 1, components: [{ type: 2, style: 1, custom_id: "a", label: "A" }] }];
  const first = await call("POST", path, {
    content: "one <@1>",
    embeds,
    components,
    nonce: "1",
    enforce_nonce: true,
  });
  await upload(path);
  await call("PATCH", `${path}/${first.id}`, { content: "three" });
  await call("GET", `${path}/${first.id}`);
  await call("GET", `${path}?limit=10`);
  await call("DELETE", `${path}/${first.id}`);
  await call("GET", `${path}/${first.id}`);
  await call("POST", path, { content: "x".repeat(3000) });
}

async function upload(path: string) {
  const form = new FormData();
  const attachments = [{ id: 0, filename: "a.png" }];
  form.set("payload_json", JSON.stringify({ attachments }));
  form.set("files[0]", new File(["abc"], "a.png", { type: "image/png" }));
  await call("POST", path, form);
}

async function threads(channel: string, user: string) {
  const thread = await call("POST", `/channels/${channel}/threads`, {
    name: "ticket",
    type: 12,
    invitable: false,
  });
  const path = `/channels/${thread.id}`;
  await call("PUT", `${path}/thread-members/${user}`);
  await call("GET", `${path}/messages`);
  await call("PATCH", path, { archived: true, locked: true });
}

async function interactions(application: string, guildId: string) {
  const place = `${application}/guilds/${guildId}/commands`;
  const who = { type: 6, name: "who", description: "Whom", required: true };
  const issue = { type: 1, name: "issue", description: "Issues one", options: [who] };
  const ask = { name: "ask", description: "Asks", options: [{ type: 3, name: "what", description: "What" }] };
  await call("PUT", place, [ask, { name: "licence", description: "Licences", options: [issue] }]);
  await call("GET", place);
  const component = { type: 1, components: [{ type: 2, style: 1, custom_id: "a", label: "A" }] };
  const first = await interact(
    "slash",
    { command: "ask" },
    { type: 4, data: { content: "hi", components: [component] } },
  );
  const pressed = { message: first.message, custom_id: "a" };
  const input = { type: 4, custom_id: "f", style: 1 };
  const form = { custom_id: "m", title: "T", components: [{ type: 18, label: "L", component: input }] };
  const shown = await interact("button", pressed, { type: 9, data: form });
  await interact(
    "modal",
    { interaction: shown.id, fields: { f: "x" } },
    { type: 5, data: { flags: 64 } },
    true,
  );
}

/** Acts as a person, and responds as the bot would. */
async function interact(kind: string, given: object, answer: object, follow = false) {
  const opened = control(`interact/${kind}`, { user: "ada", timeout_ms: 5000, until: "ack", ...given });
  const { id, token } = await latest();
  await call("POST", `/interactions/${id}/${token}/callback`, answer);
  await opened;
  const hook = `/webhooks/${simulator.clientId}/${token}`;
  if (follow) await call("PATCH", `${hook}/messages/@original`, { content: "late" });
  const original =
    "type" in answer && answer.type === 4 ? await call("GET", `${hook}/messages/@original`) : undefined;
  return { id, message: original?.id };
}

/** Logs in to the gateway and records each interaction. */
function listen(): Promise<void> {
  const line = new WebSocket(`${simulator.url.replace("http", "ws")}/gateway?v=10&encoding=json`);
  const d = { token: simulator.botToken, intents: 1, properties: {} };
  line.addEventListener("open", () => line.send(JSON.stringify({ op: 2, d })));
  return new Promise((resolve) => {
    line.addEventListener("message", ({ data }) => {
      const { t, d: event } = JSON.parse(String(data)) as { t: string; d: { id: string; token: string } };
      if (t === "READY") resolve();
      if (t === "INTERACTION_CREATE") interactionsHeard.push(event);
    });
  });
}

/** The next interaction that the gateway sent. */
async function latest(): Promise<{ id: string; token: string }> {
  const deadline = performance.now() + 3000;
  while (performance.now() < deadline) {
    const found = interactionsHeard.shift();
    if (found) return found;
    await Bun.sleep(5);
  }
  throw new Error("no interaction arrived");
}

async function oauth(known: { clientId: string; clientSecret: string; guild: string }) {
  const { clientId: client_id, clientSecret: client_secret, guild } = known;
  const redirect_uri = "http://shop.test/callback";
  const asked = { client_id, redirect_uri, response_type: "code", scope: "identify guilds.join" };
  const url = `${simulator.url}/oauth2/authorize?${new URLSearchParams(asked)}`;
  const { redirect } = await control("authorize", { url, user: "tim" });
  const code = new URL(text(redirect)).searchParams.get("code") ?? "";
  const body = new URLSearchParams({ redirect_uri, code, grant_type: "authorization_code" });
  const headers = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
  const answer = await fetch(`${simulator.url}/api/v10/oauth2/token`, { method: "POST", headers, body });
  const { access_token } = (await answer.json()) as { access_token: string };
  await call("GET", "/users/@me", undefined, `Bearer ${access_token}`);
  const tim = idOf(await control("members"), "tim");
  await call("PUT", `${guild}/members/${tim}`, { access_token });
}

async function call(
  method: string,
  path: string,
  body?: object,
  authorization = `Bot ${simulator.botToken}`,
): Promise<Json> {
  const headers = { authorization };
  const payload = body instanceof FormData ? body : body && JSON.stringify(body);
  const answer = await fetch(`${simulator.url}/api/v10${path}`, {
    method,
    headers,
    ...(payload && { body: payload }),
  });
  const text = await answer.text();
  const json = (text === "" ? {} : JSON.parse(text)) as Json;
  judge(method, path, answer.status, json);
  return json;
}

function judge(method: string, path: string, status: number, json: Json) {
  const [plain = ""] = path.split("?");
  const template = Object.keys(description.paths)
    .filter((one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(plain))
    .toSorted((a, b) => a.split("{").length - b.split("{").length)[0];
  const operation = template && description.paths[template]?.[method.toLowerCase()];
  if (!template || !operation) {
    if (status !== 404) deviations.push(`${method} ${path}: ${status}, but there is no such call`);
    return;
  }
  const spec = operation.responses[String(status)] ?? operation.responses[`${String(status)[0]}XX`];
  const content = spec?.content?.["application/json"];
  checked += 1;
  if (!spec) {
    deviations.push(`${method} ${template}: status ${status} is not foreseen: ${JSON.stringify(json)}`);
    return;
  }
  if (!content || !("schema" in content)) return;
  const pointer = `/paths/${template.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const schema = JSON.parse(JSON.stringify(content.schema).replaceAll('"#/', '"discord#/')) as object;
  const validate = ajv.compile(schema);
  if (validate(json)) return;
  const errors = (validate.errors ?? []).map(
    (error) => `    ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
  deviations.push([`${method} ${pointer} ${status}`, ...new Set(errors)].slice(0, 25).join("\n"));
}

async function control(path: string, body?: object): Promise<Json> {
  const init = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${simulator.url}/_control/${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Json;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function idOf(state: Json, username: string): string {
  const members = state["members"] as unknown as { id: string; username: string }[];
  return members.find((one) => one.username === username)?.id ?? "";
}
