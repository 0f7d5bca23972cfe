/** An answer of the API, with its body read. */
export type Answer = {
  status: number;
  headers: Headers;
  /** The whole JSON body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
  body: any;
};

let people = 0;

/** A browser: keeps cookies, says where its requests come from, and has its own address. */
export class Person {
  readonly cookies = new Map<string, string>();
  readonly address: string;

  constructor(private readonly home: () => URL) {
    people += 1;
    this.address = `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`;
  }

  get = (path: string, headers: Record<string, string> = {}) => this.send("GET", path, { headers });

  post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    this.send("POST", path, {
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  /** Any request, with the headers that a browser adds. */
  send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = this.ask(method, path, init);
    // if its story fails before it awaits this, the shop is gone: that must not fail the next story
    answer.catch(() => {});
    return answer;
  }

  /** Registers with a key; the username doubles as the local part of the address. */
  register(key: string, username: string, password = "a long enough phrase") {
    return this.post("/api/auth/register", {
      username,
      email: `${username}@example.com`,
      password,
      key,
      timezone: "Europe/Berlin",
    });
  }

  /** Types the password again, which what adds a way into the account needs. */
  async prove(password = "a long enough phrase", security_code?: string): Promise<void> {
    const { status, body } = await this.post("/api/user/reauthenticate", {
      password,
      ...(security_code && { security_code }),
    });
    if (status !== 200) throw new Error(`the password is not taken: ${body.code}`);
  }

  /** What a browser adds. */
  headers = () => ({
    "sec-fetch-site": "same-origin",
    "x-forwarded-for": this.address,
    cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  });

  private async ask(method: string, path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(new URL(path, this.home()), {
      redirect: "manual",
      ...init,
      method,
      headers: { ...this.headers(), ...Object.fromEntries(new Headers(init.headers)) },
    });
    this.keep(response.headers.getSetCookie());
    const text = await response.text();
    const json = text !== "" && response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  }

  private keep(cookies: string[]) {
    for (const cookie of cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /max-age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
