import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { VisuallyHidden } from '../../controls/visually-hidden.tsx';
import { useDisplaySettings } from '../display-settings.ts';
import { useWords } from '../words.ts';
import { copiedForm, copyText } from './copy.ts';
import styles from './values.module.css';

const CONFIRMATION = 1500;
const MAX_NAME = 60;

interface Props {
  readonly value: string;
  /** True for what is not data, for example a command: it is never defanged, and its button always seen. */
  readonly plain?: boolean;
}

/** Copies a value, in the form of the reader's choice; with Alt in the other form. */
export function CopyButton({ value, plain = false }: Props) {
  const { t } = useWords();
  const { copyAs: chosen } = useDisplaySettings();
  const copyAs = plain ? 'plain' : chosen;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const other = plain || copyAs === 'defanged' ? 'plain' : 'defanged';
  const name = value.length > MAX_NAME ? `${value.slice(0, MAX_NAME)}…` : value;
  const label = t(copyAs === 'plain' ? 'data.value.copy' : 'data.value.copyDefanged', { value: name });
  return (
    <button
      type="button"
      className={plain ? `${styles.copy} ${styles.alone}` : styles.copy}
      aria-label={label}
      title={label}
      onClick={async (event) => setCopied(await copyText(copiedForm(value, event.altKey ? other : copyAs)))}
    >
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <VisuallyHidden>
        <span role="status">{isCopied ? t('common.copied') : ''}</span>
      </VisuallyHidden>
    </button>
  );
}
