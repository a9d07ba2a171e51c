/** What stands around every view. */
import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { link } from "../base/connect.ts";
import { helpOpen, useKeys } from "../base/keys.ts";
import { hrefOf, route } from "../base/route.ts";
import { message, state } from "../base/store.ts";
import { Command, Empty } from "../parts/parts.tsx";
import { T } from "../parts/text.tsx";
import { AskPage } from "../views/ask.tsx";
import { ConflictsPage } from "../views/conflicts.tsx";
import { CostPage } from "../views/cost.tsx";
import { DreamsPage } from "../views/dreams.tsx";
import { HealthPage } from "../views/health.tsx";
import { LinksPage } from "../views/links.tsx";
import { NotesPage } from "../views/notes.tsx";
import { ReviewPage } from "../views/review.tsx";
import { SessionsPage } from "../views/sessions.tsx";
import { SkillsPage } from "../views/skills.tsx";
import { SyncPage } from "../views/sync.tsx";
import { TimelinePage } from "../views/timeline.tsx";
import { ClashDialog, Help, Toast } from "./overlays.tsx";

interface Place {
  readonly view: string;
  readonly name: string;
  readonly draw: () => ComponentChild;
}

const GROUPS: readonly (readonly Place[])[] = [
  [
    { view: "notes", name: "Notes", draw: () => <NotesPage /> },
    { view: "ask", name: "Ask", draw: () => <AskPage /> },
  ],
  [
    { view: "review", name: "Review", draw: () => <ReviewPage /> },
    { view: "conflicts", name: "Conflicts", draw: () => <ConflictsPage /> },
  ],
  [
    { view: "timeline", name: "Timeline", draw: () => <TimelinePage /> },
    { view: "sessions", name: "Sessions", draw: () => <SessionsPage /> },
    { view: "dreams", name: "Dreams", draw: () => <DreamsPage /> },
  ],
  [
    { view: "links", name: "Links", draw: () => <LinksPage /> },
    { view: "skills", name: "Skills", draw: () => <SkillsPage /> },
    { view: "sync", name: "Sync", draw: () => <SyncPage /> },
    { view: "health", name: "Health", draw: () => <HealthPage /> },
    { view: "cost", name: "Cost", draw: () => <CostPage /> },
  ],
];
const PLACES = GROUPS.flat();

function Mark(): ComponentChild {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 23V9.5l8 8 8-8V23" />
    </svg>
  );
}

function Badge({ waiting }: { readonly waiting: number }): ComponentChild {
  return (
    <span class="badge">
      {waiting > 99 ? "99+" : waiting}
      <span class="sr"> waiting for review</span>
    </span>
  );
}

function NavLink({ place, close }: { readonly place: Place; readonly close: () => void }): ComponentChild {
  const waiting = place.view === "review" ? (state.value?.waiting ?? 0) : 0;
  return (
    <li>
      <a href={hrefOf(place.view)} aria-current={route.value.view === place.view ? "page" : undefined} onClick={close}>
        {place.name}
        {waiting > 0 && <Badge waiting={waiting} />}
      </a>
    </li>
  );
}

function Rail(): ComponentChild {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const waiting = state.value?.waiting ?? 0;
  useKeys(open ? { Escape: close } : {});
  useEffect(close, [route.value]);
  const here = PLACES.find(({ view }) => view === route.value.view)?.name ?? "";
  const now = state.value;
  return (
    <header class={open ? "rail open" : "rail"}>
      <div class="rail-head">
        <a class="brand" href={hrefOf("notes")} onClick={close}>
          <Mark /> memdir
        </a>
        <button
          type="button"
          class="menu-button"
          aria-expanded={open}
          aria-controls="places"
          onClick={() => setOpen(!open)}
        >
          {open ? "Close" : here} {!open && waiting > 0 && <Badge waiting={waiting} />}
          <span aria-hidden="true">{open ? "✕" : "☰"}</span>
          {!open && <span class="sr">, open the menu</span>}
        </button>
      </div>
      <nav id="places" aria-label="Views">
        {GROUPS.map((group, at) => (
          <ul key={at}>
            {group.map((place) => (
              <NavLink key={place.view} place={place} close={close} />
            ))}
          </ul>
        ))}
      </nav>
      <div class="rail-foot">
        {now !== undefined && (
          <p title={now.project}>
            <b>
              <T>{now.name}</T>
            </b>
            <span>mode {now.mode}</span>
          </p>
        )}
        <button type="button" class="quiet" onClick={() => (helpOpen.value = true)}>
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

function Ended(): ComponentChild {
  if (link.value === "ended")
    return (
      <div class="banner" role="alert">
        <p>
          <b>The server of this page has ended.</b> What you see and what you typed stays here. Start it again in the
          project and open the address it prints:
        </p>
        <Command text="memdir web" />
      </div>
    );
  return null;
}

function NoSession(): ComponentChild {
  return (
    <main id="main" class="alone">
      <Empty title="This page needs a fresh link">
        <p>
          A link works once and for one minute; its session ends with the server. Start it again in the project and open
          the address that it prints. Notes are never lost: they are files.
        </p>
        <Command text="memdir web" />
      </Empty>
    </main>
  );
}

function Off(): ComponentChild {
  return (
    <Empty title="Memory is off">
      <p>
        memdir neither reads nor writes here{state.value?.modeReason !== undefined && `: ${state.value.modeReason}`}. To
        switch it on:
      </p>
      <Command text="memdir mode auto" />
    </Empty>
  );
}

function ReadOnly(): ComponentChild {
  const scopes = state.value?.scopes.filter(({ readOnly, mode }) => readOnly !== undefined && mode !== "off") ?? [];
  if (scopes.length === 0 || state.value?.mode === "off") return null;
  const [first] = scopes;
  const all = scopes.length === state.value?.scopes.length;
  return (
    <p class="banner calm" role="status">
      <b>{all ? "Read only." : `${scopes.map(({ scope }) => scope).join(", ")}: read only.`}</b>{" "}
      <T>{first?.readOnly ?? ""}</T>
    </p>
  );
}

export function Shell(): ComponentChild {
  const main = useRef<HTMLElement>(null);
  const { view } = route.value;
  const place = PLACES.find((one) => one.view === view);
  useEffect(() => {
    document.title = `${place?.name ?? "Not found"} · ${state.value?.name ?? "memdir"}`;
  });
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    // What was refused there says nothing of what is seen here.
    if (message.peek()?.kind === "failed") message.value = undefined;
  }, [view]);
  if (link.value === "no-session" && state.value === undefined) return <NoSession />;
  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <Rail />
      <main id="main" ref={main} tabIndex={-1} class={view === "notes" ? "split" : "scroll"}>
        <div class="banners">
          <Ended />
          {link.value === "no-session" && <SessionOver />}
          <ReadOnly />
        </div>
        {state.value?.mode === "off" ? <Off /> : (place?.draw() ?? <Lost />)}
      </main>
      <Toast />
      <ClashDialog />
      <Help />
    </div>
  );
}

/** The server is another one now: what is on the page stays, changes need a new link. */
function SessionOver(): ComponentChild {
  return (
    <div class="banner" role="alert">
      <p>
        <b>This session has ended.</b> What you see and what you typed stays here; to change notes, open a fresh link:
      </p>
      <Command text="memdir web" />
    </div>
  );
}

function Lost(): ComponentChild {
  return (
    <Empty title="There is nothing at this address">
      <p>
        <a href={hrefOf("notes")}>All notes</a>
      </p>
    </Empty>
  );
}
