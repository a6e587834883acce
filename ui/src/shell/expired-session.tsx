import { useEffect, useState } from 'react';
import { onSessionEnd } from '../api/connection.ts';
import { Dialog } from '../design/overlays/dialog.tsx';
import { useTranslation } from '../i18n/translation.ts';
import { useSession } from './session-context.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks in place when the session ended. Requests that were refused are sent again afterwards. */
export function ExpiredSession() {
  const { t } = useTranslation();
  const { session, signIn } = useSession();
  const [answer, setAnswer] = useState<((signedIn: boolean) => void) | undefined>(undefined);
  useEffect(() => {
    let pending: Promise<boolean> | undefined;
    onSessionEnd(() => {
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
      <SignInForm
        options={{ ...signIn, providers: [] }}
        initialUser={session.username}
        onSignedIn={({ session: next }) => {
          // Another account must not continue with what this window shows.
          if (next?.username === session.username) answer?.(true);
          else location.reload();
        }}
      />
    </Dialog>
  );
}
