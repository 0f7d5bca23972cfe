import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { parseJson } from "./json";
import { type Content, sameOriginOnly } from "./page";

/** The action is impossible in the present state; the message says why. */
export class ActionRefusal extends Error {
  override name = "ActionRefusal";
}

/** An action for a test, or for a person at the page. */
export type Action<T extends z.ZodType = z.ZodType> = {
  parameters: T;
  run(given: unknown): object | Promise<object>;
};

export function action<T extends z.ZodType>(
  parameters: T,
  does: (given: z.output<T>) => object | Promise<object>,
): Action<T> {
  return { parameters, run: (given) => does(parameters.parse(given)) };
}

type Page = {
  /** The sentence for a refusal of the simulator's own. */
  problem?(error: Error): string | undefined;
  /** The query parameters that an action's answer adds to the page's next URL. */
  outcome?(answer: object): Record<string, string>;
};

/** What a simulator reports about itself, by path below `/_control`. */
export type Reports = Record<string, (c: Context) => object>;

/**
 * Each action as `POST /_control/NAME` with JSON, and as `POST /_do/NAME` from the page's forms; each report as
 * `GET /_control/NAME`.
 */
export function controlRoutes(actions: Record<string, Action>, reports: Reports, page: Page = {}): Hono {
  const app = new Hono();
  for (const [name, report] of Object.entries(reports))
    app.get(`/_control/${name}`, (c) => c.json(report(c)));
  app.use("/_control/*", sameOriginOnly);
  app.use("/_do/*", sameOriginOnly);
  for (const [name, act] of Object.entries(actions)) {
    app.post(`/_control/${name}`, async (c) => c.json(await act.run(parseJson(await c.req.text()))));
    app.post(`/_do/${name}`, async (c) => {
      const outcome = await attempt(async () => {
        const answer = await act.run(await parametersIn(c));
        return page.outcome?.(answer) ?? {};
      });
      return c.redirect(`/?${new URLSearchParams({ ...c.req.query(), ...outcome })}`, 303);
    });
  }
  app.onError((error, c) => {
    const problem = sentence(error);
    if (problem !== undefined)
      return c.json({ error: problem, ...("code" in error && { code: error.code }) }, 409);
    if (isMalformed(error)) return c.json({ error: error.message }, 400);
    console.error(error);
    return c.json({ error: "The simulator failed; its log says how." }, 500);
  });
  return app;

  function sentence(error: Error): string | undefined {
    return error instanceof ActionRefusal ? error.message : page.problem?.(error);
  }

  async function attempt(does: () => Promise<Record<string, string>>): Promise<Record<string, string>> {
    try {
      return await does();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const problem = sentence(error) ?? (isMalformed(error) ? "A field is not filled in right." : undefined);
      if (problem === undefined) throw error;
      return { problem };
    }
  }
}

const isMalformed = (error: Error) => error instanceof z.ZodError || error instanceof SyntaxError;

/** A form that runs an action with `given`, and with a person's input in `fields`. */
export function actionForm<Actions extends Record<string, Action>>(query: Record<string, string> = {}) {
  return <N extends keyof Actions & string>(
    name: N,
    given: Partial<z.input<Actions[N]["parameters"]>>,
    content: Content,
    className = "",
  ): Content =>
    html`<form
      method="post"
      action="/_do/${name}?${String(new URLSearchParams(query))}"
      enctype="multipart/form-data"
      class="${className}"
    >
      <input type="hidden" name="given" value="${JSON.stringify(given)}" />
      ${content}
    </form>`;
}

/** The JSON schema of a parameter, as far as a form shows it. */
type Shape = {
  type?: string | string[];
  default?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
};

/**
 * The form of an action, from its schema: a field for each parameter that `given` leaves open, filled in with what stands
 * `now`, and a button with the action's name.
 */
export function controlForms<Actions extends Record<string, Action>>(
  actions: Actions,
  query?: Record<string, string>,
) {
  const form = actionForm<Actions>(query);
  return <N extends keyof Actions & string>(
    name: N,
    given: Partial<z.input<Actions[N]["parameters"]>> = {},
    { now, label = inWords(name) }: { now?: object; label?: string } = {},
  ): Content => {
    const { properties = {}, ...shape } = shapeOf(actions[name]!.parameters);
    const open = Object.entries(properties).filter(([key]) => !(key in given));
    const fields = fieldsOf({ ...shape, properties: Object.fromEntries(open) }, [], now);
    return form(name, given, html`${fields}<button>${label}</button>`, "row");
  };
}

function inWords(name: string): string {
  const words = name.replaceAll(/[/_-]|(?=[A-Z])/g, " ").toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const shapes = new WeakMap<z.ZodType, Shape>();
function shapeOf(parameters: z.ZodType): Shape {
  const known = shapes.get(parameters);
  const shape = known ?? (z.toJSONSchema(parameters, { io: "input", unrepresentable: "any" }) as Shape);
  shapes.set(parameters, shape);
  return shape;
}

function fieldsOf({ properties = {}, required = [] }: Shape, path: string[], now: unknown): Content[] {
  return Object.entries(properties).map(([key, one]) =>
    fieldOf(one, [...path, key], { now: Object(now)[key], required: required.includes(key) }),
  );
}

type Field = { now?: unknown; required?: boolean };

/** A list has the fields of one element, which are sent only if they are filled in. */
function fieldOf(shape: Shape, path: string[], { now, required = false }: Field): Content {
  const label = inWords(path.findLast((key) => key !== "0") ?? "");
  if (shape.items) return fieldOf(shape.items, [...path, "0"], {});
  if (shape.properties)
    return html`<fieldset class="row">
      <legend>${label}</legend>
      ${fieldsOf(shape, path, now)}
    </fieldset>`;
  const types = [shape, ...(shape.anyOf ?? [])].flatMap(({ type = [] }) => type);
  if (types.length === 0 || types.includes("object")) return "";
  const choices = choicesOf(shape);
  const name = path.reduce((whole, key) => `${whole}[${key}]`);
  const value = path.includes("0") ? undefined : (now ?? shape.default);
  const must = required && !path.includes("0");
  if (choices === null) {
    const isText = types.every((type) => type === "string" || type === "null");
    return html`<label
      >${label}
      <input
        type="text"
        name="${isText ? name : `json:${name}`}"
        value="${value ?? ""}"
        ${must ? "required" : ""}
    /></label>`;
  }
  const all = must || value !== undefined ? choices : [undefined, ...choices];
  return html`<label
    >${label}
    <select name="json:${name}">
      ${all.map(
        (one) =>
          html`<option value="${JSON.stringify(one) ?? ""}" ${one === value ? "selected" : ""}>
            ${one === undefined ? "–" : JSON.stringify(one).replaceAll(/"/g, "").replaceAll("_", " ")}
          </option>`,
      )}
    </select></label
  >`;
}

/** The values that a parameter may have, if they can be listed. */
function choicesOf({ type, anyOf = [], ...shape }: Shape): unknown[] | null {
  if (shape.enum) return shape.enum;
  if (shape.const !== undefined) return [shape.const];
  if (type === "boolean") return [false, true];
  if (type === "null") return [null];
  const each = anyOf.map(choicesOf);
  return each.length === 0 || each.includes(null) ? null : each.flatMap((one) => one ?? []);
}

/**
 * Parses a form. A field called `options[days]` goes into `options`, one that begins with `json:` holds JSON, or a word,
 * and files go into `files`.
 */
async function parametersIn(c: Context): Promise<Record<string, unknown>> {
  const form = await c.req.formData();
  const constants = form.get("given");
  const given: Record<string, unknown> = Object(typeof constants === "string" ? parseJson(constants) : {});
  const files: object[] = [];
  for (const [field, value] of form) {
    if (typeof value !== "string") {
      if (value.size > 0) files.push(await fileIn(value));
    } else if (value !== "" && field !== "given") {
      const isJson = field.startsWith("json:");
      const path = field.slice(isJson ? 5 : 0).match(/[^[\]]+/g) ?? [];
      put(given, path, isJson ? jsonOrText(value) : value);
    }
  }
  return { ...given, ...(files.length > 0 && { files }) };
}

function jsonOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function put(into: Record<string, unknown>, [key = "", ...rest]: string[], value: unknown) {
  if (rest.length === 0) into[key] = value;
  else put((into[key] ??= rest[0] === "0" ? [] : {}) as Record<string, unknown>, rest, value);
}

async function fileIn(file: File) {
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  return { filename: file.name, content_type: file.type || undefined, base64 };
}
