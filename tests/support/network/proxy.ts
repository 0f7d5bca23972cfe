import type { Block } from "../operator/operator-manual";

/** What a proxy does to a request. */
export type ProxyRules = {
  to: string;
  /** The servers that share the requests to `to`, if that names several. */
  servers: string[];
  mostBytes: number;
  /** What happens to `X-Forwarded-For`: sent on unchanged, with the address that the proxy saw, or only that address. */
  forwarded: "as sent" | "appended" | "alone";
  /** Where requests without TLS are redirected. */
  securely: string | null;
};

type Directive = (rules: ProxyRules, ...words: string[]) => void;
type Language = { defaults: ProxyRules; directives: Record<string, Directive> };

const nothing: Directive = () => {};
const megabytes = (text = "") => Number(/^(\d+)MB?$/i.exec(text)?.[1]);

/** https://nginx.org/en/docs/http/ngx_http_proxy_module.html */
const nginx: Language = {
  defaults: { to: "", servers: [], mostBytes: 2 ** 20, forwarded: "as sent", securely: null },
  directives: {
    upstream: nothing,
    "upstream server": (rules, host = "", ...rest) => {
      expectWords(rest.join(" "), "max_fails=1 fail_timeout=5s");
      rules.servers.push(`http://${host}`);
    },
    "upstream keepalive": nothing,
    server: nothing,
    "server listen": nothing,
    "server server_name": nothing,
    "server ssl_certificate": nothing,
    "server ssl_certificate_key": nothing,
    "server client_max_body_size": (rules, size) => void (rules.mostBytes = megabytes(size) * 2 ** 20),
    "server return": (rules, _status, address = "") => void (rules.securely = address),
    "server location": nothing,
    "server location proxy_pass": (rules, to = "") => void (rules.to = to),
    "server location proxy_http_version": nothing,
    "server location proxy_connect_timeout": nothing,
    "server location proxy_next_upstream": (_, ...when) => expectWords(when.join(" "), "error timeout"),
    "server location proxy_set_header": (rules, ...header) => {
      if (header.join(" ") === 'Connection ""') return;
      expectWords(header.join(" "), "X-Forwarded-For $proxy_add_x_forwarded_for");
      rules.forwarded = "appended";
    },
  },
};

/** https://caddyserver.com/docs/caddyfile/directives/reverse_proxy#defaults */
const caddyfile: Language = {
  defaults: { to: "", servers: [], mostBytes: Infinity, forwarded: "alone", securely: "https://{host}{uri}" },
  directives: {
    "shop.example.com": nothing,
    "shop.example.com request_body": nothing,
    "shop.example.com request_body max_size": (rules, size) => void (rules.mostBytes = megabytes(size) * 1e6),
    "shop.example.com reverse_proxy": (rules, to = "") => void (rules.to = `http://${to}`),
  },
};

/** How a block of the manual configures nginx or Caddy; throws at a word that isn't known here. */
export function proxyRules({ language, lines }: Block): ProxyRules {
  const { defaults, directives } = language === "nginx" ? nginx : caddyfile;
  const rules = { ...defaults, servers: [...defaults.servers] };
  const within: string[] = [];
  for (const line of lines) {
    const [name = "", ...words] = line.replace(/\s*[;{]$/, "").split(/\s+/);
    if (name === "}") within.pop();
    else {
      const path = [...within, name].join(" ");
      const directive = directives[path];
      if (!directive) throw new Error(`unknown directive: ${path}`);
      directive(rules, ...words);
      if (line.endsWith("{")) within.push(name);
    }
  }
  return rules;
}

function expectWords(found: string, known: string): void {
  if (found !== known) throw new Error(`unknown directives: ${found}`);
}

type Listening = { port: number; tls?: Bun.TLSOptions };
type Passing = Pick<ProxyRules, "to" | "mostBytes" | "forwarded"> & { servers?: string[] };

/** A proxy on this machine that follows these rules, and accepts any certificate. */
export function startProxy({ to, servers = [to], mostBytes, forwarded }: Passing, at: Listening) {
  const next = turns(servers);
  return Bun.serve({
    hostname: "127.0.0.1",
    ...at,
    maxRequestBodySize: mostBytes,
    async fetch(request, server) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete("host");
      const peer = server.requestIP(request)?.address ?? "";
      if (forwarded === "alone") headers.set("x-forwarded-for", peer);
      if (forwarded === "appended") headers.append("x-forwarded-for", peer);
      const several = servers.length > 1;
      const body = several && request.body ? await request.arrayBuffer() : request.body;
      for (let tries = 1; ; tries += 1) {
        const one = next();
        try {
          const answer = await fetch(`${one.server}${pathname}${search}`, {
            method: request.method,
            headers,
            body,
            redirect: "manual",
            decompress: false,
            tls: { rejectUnauthorized: false },
          });
          return new Response(answer.body, answer);
        } catch (error) {
          if (!several) throw error;
          one.failed();
          if (tries === servers.length || !mayRepeat(request, error)) {
            return new Response("Bad Gateway", { status: 502 });
          }
        }
      }
    },
  });
}

/** As in nginx: what may already have been done is not sent to another server. */
const mayRepeat = ({ method }: Request, error: unknown) =>
  method === "GET" || method === "HEAD" || (error as { code?: string }).code === "ConnectionRefused";

/** Like `fail_timeout`. */
const restMilliseconds = 5_000;

/** The servers in turn, without those that have just failed, unless all have. */
function turns(servers: string[]) {
  const failedAt = new Map<string, number>();
  let turn = 0;
  return () => {
    const fresh = servers.filter(
      (one) => performance.now() - (failedAt.get(one) ?? -Infinity) > restMilliseconds,
    );
    const choice = fresh.length > 0 ? fresh : servers;
    const server = choice[(turn += 1) % choice.length] ?? "";
    return { server, failed: () => void failedAt.set(server, performance.now()) };
  };
}
