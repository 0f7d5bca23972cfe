import { join } from "node:path";
import { ConfigError } from "@/core/settings/config";

export const codeFolder = join(import.meta.dir, "../../../..");

/** What a machine needs to run the shop, as texts that an owner can copy. */
export type Machine = {
  /** The folder of the shop's code. */
  root: string;
  bun: string;
  user: string;
  dataDir: string;
  /** Other folders that the shop writes. */
  folders: string[];
  port: number;
  publicUrl: URL;
};

export const unitFile = "/etc/systemd/system/latchkey.service";
export const caddyFile = "/etc/caddy/Caddyfile";
export const nginxFile = "/etc/nginx/conf.d/latchkey.conf";
export const commandFile = "/usr/local/bin/shop";

/** Refuses ({@link ConfigError}) a path or name that systemd, a shell or Caddy would not read as it stands. */
export function expectPlain(paths: readonly string[]): void {
  const odd = paths.find((path) => !/^[\p{L}\p{N}_/.@:+-]+$/u.test(path));
  if (odd === undefined) return;
  throw new ConfigError(
    `${JSON.stringify(odd)} can't stand in systemd's unit: use a path of letters, digits and . _ - @ : + alone.`,
  );
}

const isHome = (path: string) => /^\/(home|root)\//.test(path);

export function unitOf({ root, bun, user, dataDir, folders, port }: Machine): string {
  const home = [root, bun, dataDir].some(isHome) ? "read-only" : "yes";
  return `[Unit]
Description=Latchkey shop
After=network-online.target
Wants=network-online.target
RequiresMountsFor=${dataDir}
# a start waits two minutes for a database or disk that is away, and then it is tried again
StartLimitIntervalSec=0

[Service]
User=${user}
WorkingDirectory=${root}
Environment=NODE_ENV=production PORT=${port} DATA_DIR=${dataDir} BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
ExecStart=${bun} src/main.ts
Restart=always
RestartSec=1
# requests under way get ten seconds
TimeoutStopSec=15
ProtectSystem=strict
# a folder that is missing, as of a disk that isn't there, stops no start
ReadWritePaths=${[dataDir, ...folders.map((folder) => `-${folder}`)].join(" ")}
ProtectHome=${home}
PrivateTmp=yes
NoNewPrivileges=yes
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`;
}

/**
 * The command `shop`, which root runs as the shop's user. It takes no configuration from the folder where it is typed, and
 * at a terminal it runs in a session of its own, which can't type into root's (TIOCSTI).
 */
export const commandOf = ({
  root,
  bun,
  user,
  dataDir,
}: Omit<Machine, "folders" | "port" | "publicUrl">): string => `#!/bin/sh
# The shop's command line, run as its user
case "$(id -un) \${1-} \${2-}" in
  # set-up changes to the user itself, and root's own copy of the settings is written by root
  "root setup "* | "root settings export" | "${user} "*) as= ;;
  "root "*)
    as="runuser -u ${user} --"
    if [ -t 0 ] || [ -t 1 ] || [ -t 2 ]; then as="setsid -w $as"; fi ;;
  *) echo "Type sudo shop $*" >&2; exit 1 ;;
esac
: "\${DATA_DIR:=${dataDir}}"
export DATA_DIR HOME=${dataDir} NODE_ENV=production BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
exec $as ${bun} --config=${root}/bunfig.toml --no-env-file ${root}/src/operator/main.ts "$@"
`;

/** How root has the shop's user run it where there is no systemd. */
export const foregroundOf = ({ root, bun, user, dataDir, port }: Machine): string =>
  `cd ${root} && runuser -u ${user} -- env NODE_ENV=production PORT=${port} DATA_DIR=${dataDir} ${bun} src/main.ts`;

/** Whether a Caddyfile sets up nothing but the empty site of Caddy's package. */
export const isPackaged = (text: string): boolean =>
  /^(:80\{root\*\/usr\/share\/caddyfile_server\})?$/.test(text.replace(/^\s*#.*$/gm, "").replace(/\s/g, ""));

export const caddyOf = ({ publicUrl, port }: Machine): string => `${publicUrl.host} {
    request_body {
        max_size 12MB
    }
    reverse_proxy 127.0.0.1:${port}
}
`;

export const nginxOf = ({ publicUrl: { hostname }, port }: Machine): string => `server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name ${hostname};
    ssl_certificate /etc/letsencrypt/live/${hostname}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/${hostname}/privkey.pem;
    client_max_body_size 12m;
    location / {
        proxy_pass http://127.0.0.1:${port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
}
server {
    listen 80;
    listen [::]:80;
    server_name ${hostname};
    return 301 https://${hostname}$request_uri;
}
`;
