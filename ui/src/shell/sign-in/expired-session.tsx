import { useEffect, useEffectEvent, useState } from 'react';
import { connection } from '../../api/connection.ts';
import { live } from '../../api/live.ts';
import { readSession, type Session } from '../../api/session.ts';
import { buttonClass } from '../../design/controls/button-class.ts';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../session-context.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Milliseconds between two polls for a sign-in in another window. */
const POLL_MS = 2_000;

/** Asks in place when the session ended. Requests that were refused are sent again afterwards. */
export function ExpiredSession() {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<((signedIn: boolean) => void) | undefined>(undefined);
  useEffect(() => {
    let pending: Promise<boolean> | undefined;
    connection.onSessionEnd(() => {
      pending ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        pending = undefined;
        setAnswer(undefined);
      });
      return pending;
    });
  }, []);
  return (
    <Dialog
      open={answer !== undefined}
      onClose={() => answer?.(false)}
      title={t('shell.expired.title')}
      description={t('shell.expired.text')}
    >
      {answer === undefined ? null : (
        <SignInAgain
          onSignedIn={() => {
            live.reconnect();
            answer(true);
          }}
        />
      )}
    </Dialog>
  );
}

/** Draws the ways to sign in again, and notices a sign-in in another window of the browser. */
function SignInAgain({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { t } = useTranslation();
  const { session, signIn } = useSession();
  const accept = useEffectEvent((next: Session | null) => {
    if (next === null) return;
    // Another account must not continue with what this window shows.
    if (next.username === session.username) onSignedIn();
    else location.reload();
  });
  useEffect(() => {
    const leaving = new AbortController();
    const poll = async () => {
      // It waits for a server that is away; a failed one is followed by the next.
      const found = await readSession(leaving.signal).catch(() => undefined);
      if (leaving.signal.aborted) return;
      accept(found?.session ?? null);
      timer = setTimeout(poll, POLL_MS);
    };
    let timer = setTimeout(poll, POLL_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, []);
  return (
    <>
      <SignInForm
        options={{ ...signIn, providers: [] }}
        initialUser={session.username}
        onSignedIn={(opened) => accept(opened.session)}
      />
      {signIn.providers.map(({ name, label, url }) => (
        // The page with what was typed stays behind the window of the provider.
        <a key={name} className={buttonClass()} href={url} target="_blank" rel="noreferrer">
          {t('shell.expired.provider', { name: label })}
        </a>
      ))}
    </>
  );
}
