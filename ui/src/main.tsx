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
  const application = remembered.wasSignedIn === true ? import('./shell/application.tsx') : undefined;
  const [answer] = await Promise.all([readSession(), showLanguage(language)]);
  if (answer.session === null) {
    rememberSignedOut();
    const { SignInPage } = await import('./shell/sign-in/sign-in-page.tsx');
    root.render(<SignInPage options={answer.sign_in} onSignedIn={() => location.replace(askedPage())} />);
    return;
  }
  const [{ Application }] = await Promise.all([
    application ?? import('./shell/application.tsx'),
    preferences.load().then(notePresence, withDefaults),
  ]);
  const chosen = preferences.read().language;
  if (chosen !== undefined && chosen !== language) await showLanguage(chosen);
  root.render(<Application session={answer.session} signIn={answer.sign_in} services={answer.services} />);
}

/** Uses the defaults when the preferences cannot be read: the work matters more. */
function withDefaults(error: unknown): void {
  if (!(error instanceof ApiProblem)) throw error;
}

await start();
