import { ChevronDown, Copy, Filter, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { ApiProblem } from '../api/problem.ts';
import { Button } from '../design/controls/button.tsx';
import { IconButton } from '../design/controls/icon-button.tsx';
import { TextField } from '../design/forms/text-field.tsx';
import { ConfirmDialog } from '../design/overlays/confirm-dialog.tsx';
import { ContextMenu } from '../design/overlays/context-menu.tsx';
import { Dialog } from '../design/overlays/dialog.tsx';
import { Menu } from '../design/overlays/menu.tsx';
import { MenuCheck, MenuGroup, MenuItem, MenuSeparator, SubMenu } from '../design/overlays/menu-item.tsx';
import { Popover } from '../design/overlays/popover.tsx';
import { showToast } from '../design/overlays/toasts.ts';
import { Tooltip } from '../design/overlays/tooltip/tooltip.tsx';
import styles from './gallery.module.css';
import { Sample } from './gallery.tsx';

export function OverlaySamples(): ReactElement {
  const [opened, setOpened] = useState<'dialog' | 'words' | 'confirm'>();
  const [name, setName] = useState('');
  const close = () => setOpened(undefined);
  return (
    <>
      <Sample title="Menus">
        <Menu trigger={<Button icon={ChevronDown}>Commands</Button>}>
          <Commands />
        </Menu>
        <ContextMenu target={<div className={styles.area}>Right click here</div>}>
          <Commands />
        </ContextMenu>
      </Sample>
      <Sample title="Popover and tooltip">
        <Popover trigger={<Button icon={Filter}>Filter</Button>} title="Filter by name">
          <TextField label="Contains" value={name} onChange={setName} />
        </Popover>
        <Tooltip text="Runs the query again, and counts everything again" keys="Ctrl Enter">
          <Button>Point at me</Button>
        </Tooltip>
      </Sample>
      <Sample title="Dialogues">
        <Button onClick={() => setOpened('dialog')}>Rename …</Button>
        <Button kind="danger" icon={Trash2} onClick={() => setOpened('confirm')}>
          Delete …
        </Button>
        <Button onClick={() => setOpened('words')}>Read …</Button>
        <Dialog open={opened === 'words'} onClose={close} title="The address of the view">
          <p>
            <code>/alerts?view=phishing</code> <IconButton icon={Copy} label="Copy the address" />
          </p>
        </Dialog>
        <Dialog
          open={opened === 'dialog'}
          onClose={close}
          title="Rename the view"
          description="Others see the new name at once."
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button kind="primary" onClick={close}>
                Rename
              </Button>
            </>
          }
        >
          <TextField label="New name" value={name} onChange={setName} />
        </Dialog>
        <ConfirmDialog
          open={opened === 'confirm'}
          onClose={close}
          title="Delete the view “Phishing”?"
          confirmLabel="Delete"
          onConfirm={() => Promise.reject(new ApiProblem('The view is locked.', { status: 403 }))}
          danger
        >
          Two dashboards show it. This cannot be undone.
        </ConfirmDialog>
      </Sample>
      <Sample title="Toasts">
        <Button onClick={() => showToast('The alert was promoted.')}>Note</Button>
        <Button
          onClick={() =>
            showToast('12 alerts were assessed.', {
              action: { label: 'Undo', keys: 'u', run: () => showToast('Written back.') },
            })
          }
        >
          With an action
        </Button>
        <Button onClick={() => showToast('Two of 12 alerts were changed by others.', { kind: 'problem' })}>
          Problem
        </Button>
      </Sample>
    </>
  );
}

function Commands(): ReactElement {
  const [isLive, setLive] = useState(true);
  return (
    <>
      <MenuItem icon={Copy} keys="Ctrl C" onSelect={() => showToast('Copied.')}>
        Copy
      </MenuItem>
      <MenuItem disabled>Not allowed</MenuItem>
      <MenuCheck checked={isLive} onChange={setLive}>
        Live
      </MenuCheck>
      <SubMenu label="Assess">
        <MenuItem keys="l">Legitimate</MenuItem>
        <MenuItem keys="f">False positive</MenuItem>
      </SubMenu>
      <MenuSeparator />
      <MenuGroup label="Danger">
        <MenuItem icon={Trash2} danger>
          Delete
        </MenuItem>
      </MenuGroup>
    </>
  );
}
