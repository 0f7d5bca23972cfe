/** Does something on a simulator's side, or without a `body` reads a report. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
export async function control(simulator: string, action: string, body?: object): Promise<any> {
  const posted = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${simulator}/_control/${action}`, posted);
  if (!answer.ok) throw new Error(`${action}: ${await answer.text()}`);
  return answer.json();
}
