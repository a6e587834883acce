import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/controls/button.tsx';
import styles from './shell.module.css';

interface Props {
  readonly children: ReactNode;
}

/** Catches what a page throws while it is drawn; the frame around it keeps working. */
export class PageErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <PageFailure onRetry={() => this.setState({ error: undefined })} />;
  }
}

function PageFailure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.failure}>
      <h2>{t('shell.failed.title')}</h2>
      <p>{t('shell.failed.text')}</p>
      <Button onClick={onRetry}>{t('common.retry')}</Button>
    </div>
  );
}
