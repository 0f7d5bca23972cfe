import type { Description, Schema } from "./shape";

type Media = { schema?: Schema; example?: unknown };
type Content = Record<string, Media>;
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema };

/** One call, as read from the description. */
export type CallOf = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  /** The security schemes, any one of which is enough; an empty name means that no scheme is needed. */
  callers: string[];
  parameters: Parameter[];
  body: Media | undefined;
  answers: { status: string; description: string; content: Content }[];
};

/** Every call under its first tag, in route order. */
export function callsByTag(document: Description): [string, CallOf[]][] {
  const byTag = new Map<string, CallOf[]>();
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      const operation = methods[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? "Other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), callOf(path, method, operation)]);
    }
  }
  return [...byTag];
}

type Operation = NonNullable<NonNullable<Description["paths"]>[string]["get"]>;

function callOf(path: string, method: string, operation: Operation): CallOf {
  const { security = [], summary = "", description, parameters = [], responses } = operation;
  const body = operation.requestBody as { content?: Content } | undefined;
  return {
    id: `${method}${path.replaceAll(/[^a-z0-9]+/gi, "-")}`,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    callers: security.length > 0 ? security.map((scheme) => Object.keys(scheme)[0] ?? "") : [""],
    // the generator makes references only of schemas; parameters, bodies and answers are always inline
    parameters: parameters as Parameter[],
    body: body?.content?.["application/json"],
    answers: Object.entries(responses as Record<string, { description: string; content?: Content }>).map(
      ([status, answer]) => ({ status, description: answer.description, content: answer.content ?? {} }),
    ),
  };
}
