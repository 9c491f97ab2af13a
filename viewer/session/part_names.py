"""What can be asked of a session and done to it, part by part: what each name means is said in the part."""

from __future__ import annotations

from viewer.session.arrivals import Arrivals
from viewer.session.contents import Contents
from viewer.session.delegation import method, value
from viewer.session.dialog import Dialog
from viewer.session.document import Document
from viewer.session.explaining import Explaining
from viewer.session.file import File
from viewer.session.focus import Focus
from viewer.session.guide import Guide
from viewer.session.inspector import Cards
from viewer.session.manipulation import Manipulation
from viewer.session.menus import Menus
from viewer.session.modal_input import ModalInput
from viewer.session.pair_table import PairTable
from viewer.session.photos import Photos
from viewer.session.player import Player
from viewer.session.pointing import Pointing
from viewer.session.questions import Questions
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.start import StartPage
from viewer.session.strip import TimeStrip
from viewer.session.transform_tool import TransformTool
from viewer.session.updates import Updates
from viewer.session.view import View


class PartNames:
    """The public names of a session that its parts answer to."""

    revision = value("_updates", Updates.revision)
    notice = value("_updates", Updates.notice)
    say = method("_updates", Updates.say)

    resting = value("_document", Document.scene)
    selected = value("_document", Document.selected)
    selection = value("_document", Document.active)
    hidden = value("_document", Document.hidden)
    extent = value("_document", Document.extent)
    pending = value("_document", Document.held)
    undoable = value("_document", Document.undoable)
    redoable = value("_document", Document.redoable)
    change = method("_document", Document.change)
    react_with = method("_document", Document.react_with)
    undo = method("_document", Document.undo)
    redo = method("_document", Document.redo)

    scene = value("_player", Player.scene)
    time = value("_player", Player.time)
    has_motion = value("_player", Player.has_motion)
    playing = value("_player", Player.playing)
    speed = value("_player", Player.speed)
    loop = value("_player", Player.loop)
    touching = value("_player", Player.touching)
    play = method("_player", Player.play)
    pause = method("_player", Player.pause)
    play_or_pause = method("_player", Player.play_or_pause)
    follow = method("_player", Player.follow)
    scrub = method("_player", Player.scrub)
    step = method("_player", Player.step)
    to_change = method("_player", Player.to_change)
    to_end = method("_player", Player.to_end)
    change_speed = method("_player", Player.change_speed)
    switch_loop = method("_player", Player.switch_loop)
    tick = method("_player", Player.tick)

    viewport = value("_view", View.viewport)
    face_on = value("_view", View.face_on)
    bookmarks = value("_view", View.bookmarks)
    remember = method("_view", View.remember)
    recall = method("_view", View.recall)
    resets = value("_view", View.resets)
    reset_view = method("_view", View.reset_view)
    keep_view = method("_view", View.keep_view)
    view_undoable = value("_view", View.view_undoable)
    view_redoable = value("_view", View.view_redoable)
    undo_view = method("_view", View.undo_view)
    redo_view = method("_view", View.redo_view)
    settle_view = method("_view", View.settle_view)
    set_camera = method("_view", View.set_camera)
    resize = method("_view", View.resize)
    look = method("_view", View.look)
    look_along = method("_view", View.look_along)
    frame_all = method("_view", View.frame_all)
    frame_selection = method("_view", View.frame_selection)
    frame_shapes = method("_view", View.frame_shapes)
    orbit = method("_view", View.orbit)
    pan = method("_view", View.pan)
    zoom = method("_view", View.zoom)
    switch_projection = method("_view", View.switch_projection)

    toggles = value("_settings", Settings.toggles)
    margin = value("_settings", Settings.margin)
    theme = value("_settings", Settings.theme)
    help_page = value("_settings", Settings.help_page)
    toggle = method("_settings", Settings.toggle)
    set_margin = method("_settings", Settings.set_margin)
    change_margin = method("_settings", Settings.change_margin)
    set_theme = method("_settings", Settings.set_theme)
    next_theme = method("_settings", Settings.next_theme)
    turn_help = method("_settings", Settings.turn_help)

    part = value("_selection", Selection.part)
    has_ends = value("_selection", Selection.has_ends)
    select = method("_selection", Selection.select)
    select_many = method("_selection", Selection.select_many)
    select_all = method("_selection", Selection.select_all)
    invert_selection = method("_selection", Selection.invert_selection)
    deselect = method("_selection", Selection.deselect)
    walk = method("_selection", Selection.walk)
    pair = value("_selection", Selection.pair)
    box = value("_selection", Selection.box)
    box_next = value("_selection", Selection.box_next)
    box_marks = value("_selection", Selection.box_marks)
    click = method("_selection", Selection.click)
    select_box = method("_selection", Selection.select_box)
    draw_box = method("_selection", Selection.draw_box)
    begin_box = method("_selection", Selection.begin_box)
    stretch_box = method("_selection", Selection.stretch_box)
    end_box = method("_selection", Selection.end_box)

    faded = value("_focus", Focus.faded)
    focus_on = method("_focus", Focus.focus_on)
    unfocus = method("_focus", Focus.unfocus)

    listed = value("_pairs", PairTable.listed)
    pair_rows = value("_pairs", PairTable.rows)
    pair_filter = value("_pairs", PairTable.filter)
    pair_order = value("_pairs", PairTable.order)
    walk_pairs = method("_pairs", PairTable.walk_pairs)
    show_pair = method("_pairs", PairTable.show_pair)
    scroll_pairs = method("_pairs", PairTable.scroll_pairs)
    filter_pairs = method("_pairs", PairTable.filter_pairs)
    sort_pairs = method("_pairs", PairTable.sort_pairs)
    next_pair_order = method("_pairs", PairTable.next_pair_order)

    mode = value("_tool", TransformTool.mode)
    axes = value("_tool", TransformTool.axes)
    snapping = value("_tool", TransformTool.snapping)
    dragging = value("_tool", TransformTool.dragging)
    hot = value("_tool", TransformTool.hot)
    gizmo = value("_tool", TransformTool.gizmo)
    handles = value("_tool", TransformTool.handles)
    status = value("_tool", TransformTool.status)
    movable = value("_tool", TransformTool.movable)
    turnable = value("_tool", TransformTool.turnable)
    sizable = value("_tool", TransformTool.sizable)
    locked = value("_tool", TransformTool.locked)
    switch_lock = method("_tool", TransformTool.switch_lock)
    set_mode = method("_tool", TransformTool.set_mode)
    set_axes = method("_tool", TransformTool.set_axes)
    switch_axes = method("_tool", TransformTool.switch_axes)
    switch_snapping = method("_tool", TransformTool.switch_snapping)
    choose_part = method("_tool", TransformTool.choose_part)
    next_part = method("_tool", TransformTool.next_part)
    begin = method("_tool", TransformTool.begin)
    accept = method("_tool", TransformTool.accept)

    under = value("_pointing", Pointing.under)
    hovered = value("_pointing", Pointing.hovered)
    offer = value("_pointing", Pointing.offer)
    end_marks = value("_pointing", Pointing.end_marks)
    leave = method("_pointing", Pointing.leave)

    explained = value("_explaining", Explaining.explained)
    explaining = value("_explaining", Explaining.explaining)
    can_explain = value("_explaining", Explaining.can_explain)
    explained_step = value("_explaining", Explaining.explained_step)
    lit = value("_explaining", Explaining.lit)
    explain = method("_explaining", Explaining.explain)
    show_explanation = method("_explaining", Explaining.show_explanation)
    switch_explanation = method("_explaining", Explaining.switch_explanation)
    end_explanation = method("_explaining", Explaining.end_explanation)
    next_query = method("_explaining", Explaining.next_query)
    turn_step = method("_explaining", Explaining.turn_step)
    go_to_step = method("_explaining", Explaining.go_to_step)
    light = method("_explaining", Explaining.light)

    typing = value("_phrase", ModalInput.typing)
    expecting = value("_phrase", ModalInput.expecting)
    past_the_only = value("_phrase", ModalInput.past_the_only)
    refusing = value("_phrase", ModalInput.refusing)
    take = method("_phrase", ModalInput.take)
    type_key = method("_phrase", ModalInput.type_key)

    move_selection = method("_exact", Manipulation.move_selection)
    rotate_selection = method("_exact", Manipulation.rotate_selection)
    resize_selection = method("_exact", Manipulation.resize_selection)
    scale_selection = method("_exact", Manipulation.scale_selection)
    orientable = value("_exact", Manipulation.orientable)
    orient_selection = method("_exact", Manipulation.orient_selection)
    nudge = method("_exact", Manipulation.nudge)
    set_end = method("_exact", Manipulation.set_end)

    add = method("_contents", Contents.add)
    duplicate = method("_contents", Contents.duplicate)
    delete = method("_contents", Contents.delete)
    renamable = value("_contents", Contents.renamable)
    rename = method("_contents", Contents.rename)
    hide = method("_contents", Contents.hide)
    isolate = method("_contents", Contents.isolate)
    show_all = method("_contents", Contents.show_all)

    path = value("_file", File.path)
    dirty = value("_file", File.dirty)
    heading = value("_file", File.heading)
    saves_over = value("_file", File.saves_over)
    comes_from = method("_file", File.comes_from)
    save = method("_file", File.save)
    save_as = method("_file", File.save_as)
    revert = method("_file", File.revert)

    put = method("_arrivals", Arrivals.put)

    timeline = value("_strip", TimeStrip.timeline)

    prompt = value("_dialog", Dialog.prompt)
    answer = method("_dialog", Dialog.answer)
    leave_choice = method("_dialog", Dialog.leave_choice)
    tick_option = method("_dialog", Dialog.tick_option)
    dismiss = method("_dialog", Dialog.dismiss)

    ask_add = method("_questions", Questions.ask_add)
    ask_rename = method("_questions", Questions.ask_rename)
    ask_filter = method("_questions", Questions.ask_filter)
    ask_save = method("_questions", Questions.ask_save)
    ask_save_as = method("_questions", Questions.ask_save_as)
    ask_remember = method("_questions", Questions.ask_remember)
    ask_recall = method("_questions", Questions.ask_recall)
    ask_close = method("_questions", Questions.ask_close)
    look_at_file = method("_questions", Questions.look_at_file)
    card = value("_cards", Cards.card)
    card_text = value("_cards", Cards.card_text)
    set_number = method("_cards", Cards.set_number)
    ask_card = method("_cards", Cards.ask_card)
    ask_number = method("_cards", Cards.ask_number)
    copy_card = method("_cards", Cards.copy_card)
    testable = value("_cards", Cards.testable)
    copy_test = method("_cards", Cards.copy_test)
    copies_to = method("_cards", Cards.copies_to)
    ask_menu = method("_menus", Menus.ask_menu)
    ask_menus = method("_menus", Menus.ask_menus)

    ask_always = method("_questions", Questions.ask_always)

    may_open = value("_start", StartPage.may_open)
    page = value("_start", StartPage.page)
    wish = value("_start", StartPage.wish)
    allow_opening = method("_start", StartPage.allow_opening)
    show_page = method("_start", StartPage.show_page)
    show_lessons = method("_start", StartPage.show_lessons)
    open_card = method("_start", StartPage.open_card)
    scroll_page = method("_start", StartPage.scroll_page)
    begin_scene = method("_start", StartPage.begin_scene)
    ask_open = method("_start", StartPage.ask_open)

    guide = value("_guide", Guide.guide)
    guided = value("_guide", Guide.guided)
    begin_guide = method("_guide", Guide.begin_guide)
    end_guide = method("_guide", Guide.end_guide)
    follow_guide = method("_guide", Guide.follow_guide)

    has_window = value("_photos", Photos.has_window)
    take_pictures = method("_photos", Photos.take_pictures)
    ask_picture = method("_photos", Photos.ask_picture)
