/** One call as the API describes itself. */
export type Call = {
  method: string;
  path: string;
  /** The first scheme that opens it. */
  security: "session" | "desk" | "token" | "serverKey" | "stripeSignature" | "anyone";
  query: string[];
  /** JSON Schema of the body, when there is one. */
  body: JsonSchema | undefined;
  example: unknown;
  /** Answers outside the envelope: pages, and the calls that answer without it. */
  bare: boolean;
};

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
};

// oxlint-disable-next-line typescript/no-explicit-any -- a document that came over the wire
export function callsOf(document: any): Call[] {
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    Object.entries<any>(methods).map(([method, operation]) => {
      const media = operation.requestBody?.content["application/json"];
      const answer = operation.responses["200"]?.content?.["application/json"]?.schema;
      const needed: string[] = (operation.security ?? []).map(
        (scheme: object) => Object.keys(scheme)[0] ?? "",
      );
      return {
        method: method.toUpperCase(),
        path,
        security: needed.includes("") ? "anyone" : (needed[0] ?? "anyone"),
        query: (operation.parameters ?? []).map(({ name }: { name: string }) => name),
        body: media?.schema,
        example: media?.example,
        bare: answer?.properties?.data === undefined,
      } as Call;
    }),
  );
}
