import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import './design/styles.ts';
import { ApiProblem } from './api/problem.ts';
import { readSession } from './api/session.ts';
import { importPart } from './design/late/import-part.ts';
import { beginInLanguage, browserLanguage, showLanguage } from './i18n/i18n.ts';
import { ConnectionLine } from './shell/connection-line.tsx';
import { applyRememberedAppearance, preferences, rememberSignedOut } from './shell/preferences.ts';
import { askedPage } from './shell/sign-in/asked-page.ts';
import { StartPage } from './shell/start-page.tsx';
import { notePresence } from './shell/visits/use-visits.ts';

/** Milliseconds that the first page waits for preferences: the work matters more. */
const PREFERENCES_PATIENCE = 4_000;

const remembered = applyRememberedAppearance();
const language = remembered.language ?? browserLanguage();
beginInLanguage(language);
const root = createRoot(document.getElementById('root') as HTMLElement);

/** Shows the first page. Until then one line says what it waits for; a failure has a retry. */
async function start(): Promise<void> {
  root.render(<StartPage />);
  try {
    root.render(await firstPage());
  } catch (error) {
    root.render(<StartPage problem={{ error, onRetry: () => void start() }} />);
  }
}

/** Loads what the first page needs side by side, and returns the sign-in or the application. */
async function firstPage(): Promise<ReactElement> {
  // A browser that was signed in the last time most likely is signed in now.
  const isExpected = remembered.wasSignedIn === true;
  const messages = showLanguage(language);
  const application = isExpected ? importApplication() : undefined;
  const chosen = isExpected ? loadPreferences(messages) : undefined;
  for (const early of [messages, application, chosen]) handled(early);
  const [answer] = await Promise.all([readSession(), messages]);
  if (answer.session === null) {
    rememberSignedOut();
    const { SignInPage } = await importPart(() => import('./shell/sign-in/sign-in-page.tsx'));
    return (
      <>
        <ConnectionLine />
        <SignInPage options={answer.sign_in} onSignedIn={() => location.replace(askedPage())} />
      </>
    );
  }
  const [{ Application }] = await Promise.all([
    application ?? importApplication(),
    chosen ?? loadPreferences(messages),
  ]);
  return <Application session={answer.session} signIn={answer.sign_in} services={answer.services} />;
}

const importApplication = () => importPart(() => import('./shell/application.tsx'));

/** Loads the preferences, for a moment: without them the defaults are used until they come. */
async function loadPreferences(messages: Promise<void>): Promise<void> {
  const loading = preferences.load().then(async () => {
    notePresence();
    const { language: kept } = preferences.read();
    await messages;
    if (kept !== undefined && kept !== language) await showLanguage(kept);
  }, ignoreRefusal);
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PREFERENCES_PATIENCE))]);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiProblem)) throw error;
}

/** Leaves a failure to the `await` that follows; until then the browser would report it as unhandled. */
function handled(work: Promise<unknown> | undefined): void {
  work?.catch(() => undefined);
}

await start();
