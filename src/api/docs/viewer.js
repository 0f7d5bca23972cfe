// Runs in the browser after Swagger UI's own script.
/* global SwaggerUIBundle */
const whoMayCall = {
  session: "a signed-in account",
  desk: "staff at the desk",
  token: "the desktop application, by the account's token",
  serverKey: "another system, by a server key",
  stripeSignature: "Stripe, by its signature",
  metricsToken: "Prometheus, by METRICS_TOKEN",
};

const dark = matchMedia("(prefers-color-scheme: dark)");
const followTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followTheme);
followTheme();

const asked = location.hash.slice(1);
const api = described(await (await fetch("/api/openapi.json")).json());

SwaggerUIBundle({
  spec: api,
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  // each click would act on a real account, with the reader's own session
  supportedSubmitMethods: [],
  defaultModelsExpandDepth: -1,
  plugins: [
    {
      // its own would read a megabyte of JSON as YAML
      statePlugins: {
        spec: { actions: { parseToJson: () => (system) => system.specActions.updateJsonSpec(api) } },
      },
      components: { AuthorizeBtnContainer: () => null, authorizeOperationBtn: () => null },
      // its own resolves the whole document at each call that is opened
      fn: {
        opsFilter: searched,
        resolveSubtree: (_, path) => ({ errors: [], spec: resolved(valueAt(path)) }),
      },
    },
  ],
});

/** Says of each call who may make it, names it as links to this page do, and leaves refusals to their own list. */
function described(api) {
  for (const [path, calls] of Object.entries(api.paths)) {
    for (const [method, call] of Object.entries(calls)) {
      for (const status of ["4XX", "5XX"]) delete call.responses[status]?.content;
      call.operationId = `${method}${path.replaceAll(/[^a-z0-9]+/gi, "-")}`;
      if (call.operationId === asked)
        location.hash = `#/${encodeURIComponent(call.tags[0])}/${call.operationId}`;
      call.description = `Who may call: **${callersOf(call)}**.\n\n${call.description ?? ""}`;
    }
  }
  return api;
}

function callersOf({ security = [{}] }) {
  const callers = security.map((schemes) => Object.keys(schemes)[0]);
  if (callers.length > 1 && callers.includes(undefined)) return "anyone; a session changes the answer";
  return callers.map((caller) => (caller ? (whoMayCall[caller] ?? caller) : "anyone")).join(" or ");
}

const valueAt = (path) => path.reduce((value, name) => value?.[name], api);

/** With what its references name in their place. */
function resolved(value) {
  const named = ({ $ref }) => resolved(api.components.schemas[$ref.split("/").at(-1)]);
  return JSON.parse(JSON.stringify(value), (_, inner) => (inner?.$ref ? named(inner) : inner));
}

/** The calls whose path, words or fields contain what is typed. */
function searched(tags, typed) {
  const has = (call) => JSON.stringify(call).toLowerCase().includes(typed.toLowerCase());
  return tags
    .map((tag) => tag.update("operations", (calls) => calls.filter(has)))
    .filter((tag) => tag.get("operations").size > 0);
}
