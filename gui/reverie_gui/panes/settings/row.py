"""One setting: its title over the control, its help under it, Reset where it was changed, errors in their place."""

from PySide6.QtWidgets import QWidget

from reverie.errors import UserError
from reverie.i18n import _
from reverie.settings import SettingInfo, Settings
from reverie.settings.declare import check
from reverie_gui.context import Context
from reverie_gui.operations.settings import change_setting, reset_setting
from reverie_gui.panes.settings.controls import Control, make_control
from reverie_gui.panes.settings.words import value_of, value_word, warning
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.ask_panel import AskPanel
from reverie_gui.widgets.looks import button, column, label, row


class SettingRow(QWidget):
    def __init__(self, context: Context, info: SettingInfo, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self.info = info
        self._saving = 0  # values on their way to the file
        origin = settings.origins.get(info.key, "")
        self._outside = origin if origin != "file" else ""
        self.control: Control = make_control(info, fixed=bool(self._outside))
        self.control.changed.connect(self._given)
        self.reset = button(self.tr("Reset"), self._reset, "link")
        self.reset.setAccessibleName(self.tr("Reset {title}").format(title=info.title))
        self.reset.setToolTip(
            self.tr("Back to the default: {value}").format(value=value_word(info, info.default))
        )
        self.problem = label(style="meta", look="error", wrap=True)
        self.problem.hide()
        self.origin = label(style="meta", look="faint", wrap=True, select=True)
        self.origin.hide()
        self.question = AskPanel()
        self.question.answered.connect(self._answered)
        titled = info.type == "bool" and not self._outside  # the box carries the title itself
        title = label("" if titled else info.title, "base_medium")
        title.setBuddy(self.control.entry)
        top = row(self.control if titled else title, -1, self.reset, gap=8)
        head = QWidget()
        head.setLayout(top)
        head.setMinimumHeight(SIZES.target + 2)  # Reset comes and goes, the rows stay where they are
        layout = column(head, gap=4)
        if not titled:
            layout.addWidget(self.control)
        for part in (
            self.problem,
            label(info.help, "meta", "meta", wrap=True),
            self.origin,
            self.question,
        ):
            layout.addWidget(part)
        self.setLayout(layout)
        self.show_settings(settings)

    def show_settings(self, settings: Settings) -> None:
        """The values as they stand now."""
        if self._saving:  # what is being stored is newer
            return
        value = value_of(settings, self.info)
        self.reset.setVisible(settings.origins.get(self.info.key) == "file" and value != self.info.default)
        self._value = value
        if not self.control.is_busy() and self.question.isHidden() and self.problem.isHidden():
            self.control.show_value(value)
        if self._outside:
            self.origin.setText(
                self.tr("Set by the environment variable {name}; change it there.").format(name=self._outside)
            )
        elif self.info.type == "secret":
            self.origin.setText(
                self.tr("Give it in the environment variable {name}.").format(name=self.info.environment[0])
            )
        self.origin.setVisible(bool(self.origin.text()))

    def _given(self, value: object) -> None:
        self._say("")
        self.question.withdraw()
        try:
            checked = check(self.info, value)
        except UserError as error:
            self._say(error.hint or error.title)
            return
        if checked == self._value:
            self.control.show_value(self._value)
            return
        asked = warning(self.info, checked)
        if asked is None:
            self._store(checked)
        else:
            self._pending = checked
            self.question.ask(*asked, lambda: self._store(checked))

    def _answered(self, yes: bool) -> None:
        if not yes:
            self.control.show_value(self._value)

    def _store(self, value: object) -> None:
        before, self._value = self._value, value  # at once: what is typed next is measured by it
        self._saving += 1
        context, info = self._context, self.info

        def done(settings: Settings) -> None:
            self._saving -= 1
            self.show_settings(settings)
            if not info.key.startswith("appearance."):  # those are seen
                words = _("{title}: {value}").format(title=info.title, value=value_word(info, value))
                context.notices.toast(words, action=_("Undo"), act=lambda: self._put_back(before))

        def failed(error: Exception) -> None:
            self._saving -= 1
            self._failed(error)

        change_setting(context=context, key=info.key, value=value, on_done=done, on_failed=failed)

    def _put_back(self, value: object) -> None:
        if value == self.info.default:
            self._reset()
        else:
            change_setting(
                context=self._context,
                key=self.info.key,
                value=value,
                on_done=self._stored,
                on_failed=self._failed,
            )

    def _reset(self) -> None:
        self._say("")
        self.question.withdraw()
        reset_setting(context=self._context, key=self.info.key, on_done=self._stored, on_failed=self._failed)

    def _stored(self, settings: Settings) -> None:
        self._say("")
        self.show_settings(settings)

    def _failed(self, error: Exception) -> None:
        self._value = value_of(self._context.vault.held_settings, self.info)
        banner = self._context.notices.worded(error)
        self._say(
            " ".join(part.rstrip(".") + "." for part in (banner.title, banner.detail, banner.hint) if part)
        )

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.control.set_invalid(bool(text))
