// What stands between two panes: by pointer and keyboard, it gives one what it takes from the
// other.

const LEAST = 20, STEP = 2

export class Divider {
  /** The panes are columns of `container`; the divider is one of its children. */
  constructor(divider, container) {
    this.divider = divider
    this.container = container
    divider.setAttribute('aria-valuemin', String(LEAST))
    divider.setAttribute('aria-valuemax', String(100 - LEAST))
    this.show(62)
    divider.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      event.preventDefault()
      divider.focus()
      divider.setPointerCapture(event.pointerId)
      this.grip = event.clientX - divider.getBoundingClientRect().left
    })
    divider.addEventListener('pointermove', ({pointerId, clientX}) => {
      if (!divider.hasPointerCapture(pointerId)) return
      const {left, width} = container.getBoundingClientRect()
      this.show((clientX - this.grip - left) / (width - divider.offsetWidth) * 100)
    })
    divider.addEventListener('keydown', (event) => {
      const to = {ArrowLeft: this.percent - STEP, ArrowRight: this.percent + STEP, Home: LEAST, End: 100 - LEAST}[event.key]
      if (to === undefined) return
      event.preventDefault()
      this.show(to)
    })
  }

  /** Gives the first pane so many percent of the width. */
  show(percent) {
    this.percent = Math.min(100 - LEAST, Math.max(LEAST, percent))
    this.container.style.setProperty('--first', `${this.percent}fr`)
    this.container.style.setProperty('--second', `${100 - this.percent}fr`)
    this.divider.setAttribute('aria-valuenow', this.percent.toFixed(0))
  }
}
