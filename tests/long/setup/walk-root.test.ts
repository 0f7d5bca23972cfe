import { expect, test } from "bun:test";
import { chownSync, existsSync } from "node:fs";
import { join } from "node:path";
import { openBareRoot } from "../../support/operator/bare-root";
import { openTypist } from "../../support/operator/typist";
import {
  accepts,
  answersBackups,
  answersShop,
  answersStripe,
  keepsKeys,
  openBareMachine,
  startsShop,
} from "../../support/operator/walk-set-up";

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  `root's one command asks as the shop's user, and starts what was set up${isRoot ? "" : " (needs root)"}`,
  async () => {
    await using machine = await openBareMachine();
    using root = openBareRoot();
    root.put("etc/passwd", "latchkey:x:65534:65534::/:/usr/sbin/nologin\n");
    for (const path of [machine.dataDir, join(machine.dataDir, "settings.env")])
      chownSync(path, 65_534, 65_534);
    const setUp = () => openTypist({ ...machine.env, PATH: root.path }, "setup", "--below", root.below);

    using left = setUp();
    await left.sees("Your name");
    left.leaves();
    expect(await left.ended()).toBe(130);
    expect(root.calls()).toEqual(["runuser -u latchkey"]);
    expect(existsSync(root.at("etc/systemd"))).toBe(false);

    using typist = setUp();
    await answersShop(typist, machine);
    await keepsKeys(typist);
    await typist.answers("The mail server", "off");
    await answersBackups(typist);
    await answersStripe(typist, machine);
    await typist.answers("Discord bot's token", "off");
    await typist.sees("Start the shop now?");
    await using shop = await machine.start();
    const token = await startsShop(typist);
    expect(root.calls().at(-1)).toBe("systemctl restart latchkey");
    expect((await accepts(shop.person(), token)).status).toBe(200);
  },
);
