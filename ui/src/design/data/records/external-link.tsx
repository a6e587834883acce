import { type ReactNode, useContext, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { isKnownHost, rememberHost } from '../../markup/known-hosts.ts';
import { type LinkTarget, linkTarget } from '../../markup/link-target.ts';
import { ConfirmDialog } from '../../overlays/confirm-dialog.tsx';
import { NavigateContext } from '../navigate-context.ts';
import { Value } from '../values/value.tsx';
import styles from './records.module.css';

/**
 * Follows links: pages at once, other hosts after one question each. Render `question` beside the
 * links.
 */
export function useLinks(): { readonly follow: (target: LinkTarget) => void; readonly question: ReactNode } {
  const { t } = useTranslation();
  const navigate = useContext(NavigateContext);
  const [asked, setAsked] = useState<Extract<LinkTarget, { kind: 'external' }>>();
  const follow = (target: LinkTarget) => {
    if (target.kind === 'page') {
      if (navigate === undefined) window.location.assign(target.path);
      else navigate(target.path);
    } else if (isKnownHost(target.host)) {
      leave(target.href);
    } else {
      setAsked(target);
    }
  };
  const question = asked !== undefined && (
    <ConfirmDialog
      open
      onClose={() => setAsked(undefined)}
      title={t('data.link.title', { host: asked.host })}
      confirmLabel={t('data.link.open')}
      onConfirm={() => {
        rememberHost(asked.host);
        leave(asked.href);
      }}
    >
      <p>{t('data.link.question')}</p>
      <Value value={asked.href} lines />
    </ConfirmDialog>
  );
  return { follow, question };
}

function leave(href: string): void {
  window.open(href, '_blank', 'noopener,noreferrer');
}

/** Shows a link of a record: its words and its host; an address that leads nowhere is shown as a value. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children?: ReactNode }) {
  const { follow, question } = useLinks();
  const target = linkTarget(href, window.location.origin);
  if (target === undefined) return <Value value={href} />;
  return (
    <>
      <a
        className={styles.link}
        href={target.kind === 'page' ? target.path : target.href}
        target={target.kind === 'page' ? undefined : '_blank'}
        rel="noopener noreferrer nofollow"
        onClick={(event) => {
          event.preventDefault();
          follow(target);
        }}
      >
        {children ?? <Value value={href} inline limit={120} />}
      </a>
      {target.kind === 'external' && <span className={styles.host}> ({target.host})</span>}
      {question}
    </>
  );
}
