import { choice, el, watchTheme } from './dom.js';
import { trialView } from './trial-view.js';
import { unpack } from './unpack.js';

/** A button that copies in the place of each text to take along; where the browser forbids that, the text again. */
function addCopyButtons(): void {
  for (const fold of document.querySelectorAll<HTMLElement>('[data-copies]')) {
    const words = `Copy ${fold.dataset.copies ?? ''}`;
    const button = el('button', { type: 'button' }, words);
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(fold.querySelector('pre')?.textContent ?? '');
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = words;
        }, 2000);
      } catch {
        fold.setAttribute('open', '');
        button.replaceWith(fold);
      }
    });
    fold.replaceWith(button);
  }
}

/** Shows one trial; unpacks its data only then. */
async function showTrial(section: HTMLElement, place: HTMLElement, index: string): Promise<void> {
  section.setAttribute('aria-busy', 'true');
  const packed = document.getElementById(`trial-data-${index}`)?.textContent ?? '';
  try {
    place.replaceChildren(trialView(await unpack(packed)));
  } catch (error) {
    place.replaceChildren(el('p', { class: 'note' }, `The data of trial ${index} cannot be shown: ${String(error)}`));
  }
  section.setAttribute('aria-busy', 'false');
}

function start(): void {
  const section = document.getElementById('trial');
  if (!section) return;
  watchTheme();
  document.getElementById('trial-note')?.remove();
  const place = el('div', {});
  const rows = [...document.querySelectorAll<HTMLElement>('[data-trial]')];
  const options = rows.map((row) => ({
    value: row.dataset.trial ?? '',
    text: [...(row.closest('tr')?.children ?? [])]
      .slice(0, 4)
      .map((cell) => cell.textContent?.trim())
      .join(' · '),
  }));
  const show = (index: string) => {
    picker.select.value = index;
    void showTrial(section, place, index);
  };
  const picker = choice('Trial', options, show);
  for (const row of rows) row.addEventListener('click', () => show(row.dataset.trial ?? ''));
  section.append(el('div', { class: 'controls' }, picker.label), place);
  show(section.dataset.first ?? options[0]?.value ?? '');
}

addCopyButtons();
start();
