import { el } from './dom.js';

/** A button that copies in the place of each text to take along; where the browser forbids that, the text again. */
export function addCopyButtons(): void {
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
