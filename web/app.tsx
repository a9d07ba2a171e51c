/** The page of `memdir web`. */
import { type ComponentChild, render } from "preact";
import { join } from "./base/connect.ts";
import { listenToKeys } from "./base/keys.ts";
import { followAddress } from "./base/route.ts";
import { follow } from "./base/store.ts";
import { Shell } from "./shell/shell.tsx";

async function start(place: HTMLElement): Promise<void> {
  await join();
  followAddress();
  listenToKeys();
  const page: ComponentChild = <Shell />;
  render(page, place);
  await follow();
}

const place = document.querySelector<HTMLElement>("#page");
if (place !== null) void start(place);
