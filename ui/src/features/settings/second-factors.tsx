import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { web } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { isHostOfKeys } from '../../shell/sign-in/second-factor.ts';
import { OneTimePasswordSetup } from './one-time-password-setup.tsx';
import { ProofForm } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecurityKeySetup } from './security-key-setup.tsx';
import styles from './settings.module.css';

const factorsQuery = {
  queryKey: ['web', 'second-factors'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await web.GET('/session/second-factors', { signal })).data ?? null,
};

type Setup = 'one-time-passwords' | 'security-key';

/** One-time passwords, security keys and recovery codes. Changes need a proof of the last five minutes. */
export function SecondFactors() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: factors, error, refetch } = useQuery(factorsQuery);
  const [waiting, setWaiting] = useState<(() => Promise<void>) | undefined>(undefined);
  const [setup, setSetup] = useState<Setup | undefined>(undefined);
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  if (!factors) return error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />;

  const reread = () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey });
  const run = async (change: () => Promise<void>) => {
    setFailure(undefined);
    try {
      await change();
    } catch (problem) {
      setFailure(problem);
    }
    await reread();
  };
  /** Runs a change, after the proof that it needs. */
  const withProof = (change: () => Promise<void>) => {
    const isProved = factors.proved_until !== null && Date.parse(factors.proved_until) > Date.now();
    if (isProved) void run(change);
    else setWaiting(() => change);
  };
  const finish = async (recovery: readonly string[] | null) => {
    setSetup(undefined);
    if (recovery !== null) setCodes(recovery);
    await reread();
  };
  const renew = async () => {
    const { data } = await web.POST('/session/second-factors/recovery-codes');
    if (data?.recovery_codes) setCodes(data.recovery_codes);
  };
  const removeOneTimePasswords = async () => void (await web.DELETE('/session/second-factors/one-time-passwords'));
  const removeKey = async (name: string) => {
    await web.DELETE('/session/second-factors/security-keys/{name}', { params: { path: { name } } });
  };
  const hasFactor = factors.one_time_passwords || factors.security_keys.length > 0;

  return (
    <div className={styles.sections}>
      {failure === undefined ? null : <ProblemPanel problem={failure} />}
      <section className={styles.section} aria-labelledby="settings-otp">
        <h2 id="settings-otp">{t('settings.security.oneTimePasswords')}</h2>
        <p>{t(factors.one_time_passwords ? 'settings.security.otpOn' : 'settings.security.otpOff')}</p>
        {factors.one_time_passwords ? (
          <Button onClick={() => withProof(removeOneTimePasswords)}>{t('settings.security.otpRemove')}</Button>
        ) : (
          <Button
            disabled={!factors.allowed.one_time_passwords}
            onClick={() => withProof(async () => setSetup('one-time-passwords'))}
          >
            {t('settings.security.otpSetUp')}
          </Button>
        )}
      </section>
      <div className={styles.section}>
        <h2>{t('settings.security.securityKeys')}</h2>
        {factors.security_keys.length === 0 ? (
          <p>{t('settings.security.noSecurityKeys')}</p>
        ) : (
          <SimpleTable
            isPageList
            label={t('settings.security.securityKeys')}
            rows={factors.security_keys}
            keyOf={({ name }) => name}
            columns={[
              { id: 'name', title: t('common.name'), cell: ({ name }) => <Value value={name} /> },
              {
                id: 'created',
                title: t('settings.security.created'),
                cell: ({ created }) => (created === null ? '–' : <Time value={created} />),
              },
              {
                id: 'used',
                title: t('settings.security.lastUsed'),
                cell: ({ last_used: used }) => (used === null ? '–' : <Time value={used} />),
              },
              {
                id: 'remove',
                cell: ({ name }) => (
                  <Button
                    kind="quiet"
                    aria-label={t('settings.security.removeKeyOf', { name })}
                    onClick={() => withProof(() => removeKey(name))}
                  >
                    {t('settings.security.removeKey')}
                  </Button>
                ),
              },
            ]}
          />
        )}
        {factors.allowed.security_keys && isHostOfKeys(factors.security_key_host ?? '', location.hostname) ? (
          <Button onClick={() => withProof(async () => setSetup('security-key'))}>
            {t('settings.security.addKey')}
          </Button>
        ) : (
          <p>{t('settings.security.keysElsewhere', { host: factors.security_key_host ?? '–' })}</p>
        )}
      </div>
      <section className={styles.section} aria-labelledby="settings-recovery">
        <h2 id="settings-recovery">{t('settings.security.recoveryCodes')}</h2>
        <p>{t('settings.security.codesLeft', { count: factors.recovery_codes })}</p>
        <Button disabled={!hasFactor} onClick={() => withProof(renew)}>
          {t('settings.security.renewCodes')}
        </Button>
      </section>
      <Dialog
        open={waiting !== undefined}
        onClose={() => setWaiting(undefined)}
        title={t('settings.security.proof')}
        description={t('settings.security.proofText')}
        size="small"
      >
        <ProofForm
          factors={factors}
          onProved={async () => {
            const change = waiting;
            setWaiting(undefined);
            if (change !== undefined) await run(change);
          }}
        />
      </Dialog>
      <Dialog
        open={setup === 'one-time-passwords'}
        onClose={() => setSetup(undefined)}
        title={t('settings.security.otpSetUp')}
      >
        {setup === 'one-time-passwords' ? <OneTimePasswordSetup onDone={finish} /> : null}
      </Dialog>
      <Dialog
        open={setup === 'security-key'}
        onClose={() => setSetup(undefined)}
        title={t('settings.security.addKey')}
        size="small"
      >
        {setup === 'security-key' ? <SecurityKeySetup onDone={finish} /> : null}
      </Dialog>
      <Dialog
        open={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title={t('settings.security.recoveryCodes')}
        description={t('settings.security.codesOnce')}
      >
        {codes === undefined ? null : <RecoveryCodes codes={codes} />}
      </Dialog>
    </div>
  );
}
