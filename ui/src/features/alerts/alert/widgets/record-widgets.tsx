import { type ReactNode, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { Overview } from '../../../../design/data/records/overview.tsx';
import type { Widget } from '../../../../design/markup/template/pieces.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import { ValueWithMenu } from '../values/value-with-menu.tsx';
import { ActionButton } from './action-button.tsx';
import { AlertCard } from './alert-card.tsx';
import { FetcherResult } from './fetcher-result.tsx';

/** Widgets of one template that ask the services at once; further ones wait for a press. */
const MAX_AT_ONCE = 20;

/** Draws an alert by a template in markdown; its helpers for alerts, actions and fetchers work here. */
export function OverviewWithWidgets({ template, alert }: { readonly template: string; readonly alert: Alert }) {
  const drawWidget = (widget: Widget, order: number): ReactNode => {
    const later = (part: ReactNode) => (order < MAX_AT_ONCE ? part : <OnPress>{part}</OnPress>);
    switch (widget.kind) {
      case 'lookup':
        return <ValueWithMenu of={{ field: '', value: widget.value }} />;
      case 'lookups':
        return widget.values.map((value) => <ValueWithMenu key={value} of={{ field: '', value }} />);
      case 'alert':
        return later(<AlertCard id={widget.id} />);
      case 'action':
        return later(
          <ActionButton id={widget.action} alertId={widget.alert || alert.howler.id} {...labelOf(widget)} />,
        );
      case 'fetcher':
        return later(<FetcherResult fetcher={widget.fetcher} type={widget.type} value={widget.value} />);
      default:
        return undefined;
    }
  };
  return <Overview template={template} record={alert} renderWidget={drawWidget} />;
}

function labelOf({ options: { label } }: Extract<Widget, { kind: 'action' }>): { readonly label?: string } {
  return typeof label === 'string' && label.trim() !== '' ? { label } : {};
}

function OnPress({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return isShown ? children : <Button onClick={() => setShown(true)}>{t('alert.widgets.show')}</Button>;
}
