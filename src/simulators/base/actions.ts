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

/** Parses a form of `actionForm`. A field called `options[days]` goes into `options`, files go into `files`. */
async function parametersIn(c: Context): Promise<Record<string, unknown>> {
  const form = await c.req.formData();
  const constants = form.get("given");
  const given: Record<string, unknown> = Object(typeof constants === "string" ? parseJson(constants) : {});
  const files: object[] = [];
  for (const [name, value] of form) {
    if (typeof value !== "string") {
      if (value.size > 0) files.push(await fileIn(value));
      continue;
    }
    const [, record, key] = /^(\w+)\[(.+)\]$/.exec(name) ?? [];
    if (value === "" || name === "given") continue;
    if (record === undefined || key === undefined) given[name] = value;
    else given[record] = { ...Object(given[record]), [key]: value };
  }
  return { ...given, ...(files.length > 0 && { files }) };
}

async function fileIn(file: File) {
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  return { filename: file.name, content_type: file.type || undefined, base64 };
}
