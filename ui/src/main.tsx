import { createRoot } from 'react-dom/client';
import './design/styles.ts';
import { ApiProblem } from './api/problem.ts';
import { readSession } from './api/session.ts';
import { browserLanguage, showLanguage } from './i18n/i18n.ts';
import { applyRememberedAppearance, preferences, rememberSignedOut } from './shell/preferences.ts';
import { askedPage } from './shell/sign-in/asked-page.ts';
import { notePresence } from './shell/visits/use-visits.ts';

/** Loads what the first page needs side by side, then shows the sign-in or the application. */
async function start(): Promise<void> {
  const remembered = applyRememberedAppearance();
  const language = remembered.language ?? browserLanguage();
  const root = createRoot(document.getElementById('root') as HTMLElement);
  // A browser that was signed in the last time most likely is signed in now.
  const isExpected = remembered.wasSignedIn === true;
  const application = isExpected ? import('./shell/application.tsx') : undefined;
  const chosen = isExpected ? loadPreferences() : undefined;
  const [answer] = await Promise.all([readSession(), showLanguage(language)]);
  if (answer.session === null) {
    rememberSignedOut();
    const { SignInPage } = await import('./shell/sign-in/sign-in-page.tsx');
    root.render(<SignInPage options={answer.sign_in} onSignedIn={() => location.replace(askedPage())} />);
    return;
  }
  const [{ Application }] = await Promise.all([
    application ?? import('./shell/application.tsx'),
    chosen ?? loadPreferences(),
  ]);
  const { language: kept } = preferences.read();
  if (kept !== undefined && kept !== language) await showLanguage(kept);
  root.render(<Application session={answer.session} signIn={answer.sign_in} services={answer.services} />);
}

/** Loads the preferences; without them the defaults are used: the work matters more. */
async function loadPreferences(): Promise<void> {
  try {
    await preferences.load();
    notePresence();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
  }
}

await start();
