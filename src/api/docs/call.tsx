import type { CallOf } from "./calls";
import { Fields, Words } from "./parts";
import { type Description, fieldsOf, shapeOf } from "./shape";

const whoMayCall: Record<string, string> = {
  session: "a signed-in account",
  token: "the desktop application, by the account's token",
  stripeSignature: "Stripe, by its signature",
  metricsToken: "Prometheus, by METRICS_TOKEN",
  "": "anyone",
};

/** Everything about one call. */
export function Call({ document, call }: { document: Description; call: CallOf }) {
  const { id, method, path, summary, description, parameters, body } = call;
  const sent = parameters.map((parameter) => ({
    name: parameter.name,
    required: parameter.required ?? false,
    shape: {
      ...shapeOf(document, parameter.schema ?? {}),
      ...(parameter.description ? { description: parameter.description } : {}),
    },
  }));
  return (
    <article id={id}>
      <h3>
        <b>{method}</b> <code>{path}</code>
      </h3>
      <p className="summary">
        {summary}. {description && <Words text={description} />}
      </p>
      <p>
        Who may call: <strong>{callersOf(call)}</strong>
      </p>
      {sent.length > 0 && <Fields title="URL parameters" fields={sent} />}
      {body?.schema && (
        <Fields
          title="Body"
          note={shapeOf(document, body.schema).description}
          fields={fieldsOf(document, body.schema)}
        />
      )}
      <Answers document={document} call={call} />
      <Example call={call} />
    </article>
  );
}

const callersOf = ({ callers }: CallOf) =>
  callers.length > 1 && callers.includes("")
    ? "anyone; a session changes the answer"
    : callers.map((caller) => whoMayCall[caller] ?? caller).join(" or ");

function Answers({ document, call }: { document: Description; call: CallOf }) {
  return (
    <>
      {call.answers
        .filter((answer) => !isRefusal(answer))
        .map(({ status, description, content }) => (
          <Fields
            key={status}
            title={`Answer ${status}`}
            note={description}
            fields={fieldsOf(document, content["application/json"]?.schema ?? {})}
          />
        ))}
      {call.answers.some(isRefusal) && (
        <p>
          Otherwise a <a href="#refusals">refusal</a>.
        </p>
      )}
    </>
  );
}

/** Refusals are shown once, below all calls. */
function isRefusal({ content }: CallOf["answers"][number]): boolean {
  const schema = content["application/json"]?.schema ?? {};
  return "$ref" in schema && schema.$ref === "#/components/schemas/Refusal";
}

function Example({ call: { method, path, body, answers, parameters } }: { call: CallOf }) {
  const answer = answers.find(({ status }) => status === "200")?.content["application/json"];
  const query = parameters.filter((parameter) => parameter.in === "query").slice(0, 1);
  const asked = query.map(({ name }) => `?${name}=…`).join("");
  const lines = [
    `${method} ${path}${asked}`,
    ...(body ? ["content-type: application/json", "", json(body.example)] : []),
  ];
  return (
    <details>
      <summary>Example</summary>
      <pre>{lines.join("\n")}</pre>
      {answer && <pre>{json(answer.example)}</pre>}
    </details>
  );
}

const json = (value: unknown) => JSON.stringify(value, null, 1);
