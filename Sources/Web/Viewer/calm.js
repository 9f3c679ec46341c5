// Nothing moves under a pressed pointer.
//
// A press changes much by itself: the field that loses the focus tells its fault, another pane
// becomes the used one, an answer comes. What this would change around the controls waits until the
// pointer is released, so that the click belongs to what was pressed.

const waiting = new Map()
let pressed = null

/**
 * Runs `change`, or keeps it while a pointer is pressed. Of several changes of one `subject` only
 * the last is kept.
 */
export function calmly(subject, change) {
  waiting.delete(subject)
  if (pressed) waiting.set(subject, change)
  else change()
}

function flush() {
  if (pressed?.isOver) pressed = null
  while (waiting.size > 0 && !pressed) {
    const [[subject, change]] = waiting
    waiting.delete(subject)
    change()
  }
}

// The click comes after `pointerup`, before the next task.
function end() {
  if (!pressed || pressed.isOver) return
  pressed.isOver = true
  setTimeout(flush)
}

addEventListener('pointerdown', ({target}) => { pressed = {target, isOver: false} }, {capture: true})
for (const name of ['pointerup', 'pointercancel', 'blur']) addEventListener(name, end, {capture: name !== 'blur'})
// What a click does itself need not wait.
addEventListener('click', () => { if (pressed?.isOver) pressed = null }, {capture: true})
// The list of a select takes the pointer for itself and does not say when it is released.
addEventListener('pointermove', ({buttons}) => buttons === 0 && end(), {capture: true, passive: true})
addEventListener('keydown', end, {capture: true})
addEventListener('change', ({target}) => target === pressed?.target && end(), {capture: true})
