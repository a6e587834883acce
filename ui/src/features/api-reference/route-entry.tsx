import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './api-reference.module.css';
import type { Caller } from './curl-line.ts';
import type { ApiRoute, OpenApiDocument } from './openapi.ts';
import { RouteDetails } from './route-details.tsx';

interface Props {
  readonly document: OpenApiDocument;
  readonly route: ApiRoute;
  readonly caller: Caller;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Draws a route in one line, and all of it when it is open. */
export function RouteEntry({ document, route, caller, isOpen, onToggle }: Props) {
  const { t } = useTranslation();
  const { method, path, summary, deprecated } = route;
  const Mark = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className={styles.entry}>
      <h3 className={styles.heading}>
        <button type="button" className={styles.line} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          <Mark size={16} aria-hidden />
          <code className={styles.method}>{method}</code>
          <code className={styles.path}>{path}</code>
          <span className={styles.summary}>
            {summary}
            {deprecated && ` · ${t('apiReference.deprecated')}`}
          </span>
        </button>
      </h3>
      {isOpen && <RouteDetails document={document} route={route} caller={caller} />}
    </li>
  );
}
